'use strict';
const sh = require('child_process').execSync;

function pidsOf(port) {
  return sh(`lsof -t -i:${port}`).toString().split('\n').filter(Boolean);
}

function kill(port, signal) {
  port = Number.parseInt(port, 10);
  if (Number.isNaN(port)) throw new TypeError('port must be a number');
  const pids = pidsOf(port);
  pids.forEach((pid) => process.kill(Number(pid), signal || 'SIGTERM'));
  return pids.length;
}

module.exports = kill;
