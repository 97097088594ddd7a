'use strict';
const sh = require('child_process').execSync;

function pidsOf(port) {
  return sh(`lsof -t -i:${port}`).toString().split('\n').filter(Boolean); // sink: command-injection
}

function kill(port, signal) {
  const pids = pidsOf(port);
  pids.forEach((pid) => process.kill(Number(pid), signal || 'SIGTERM'));
  return pids.length;
}

module.exports = kill;
