const fs = require('fs');

function readConfig(file) {
  const source = fs.readFileSync(file, 'utf8');
  return parse(source);
}

function parse(source) {
  return JSON.parse(source);
}

module.exports = { readConfig, parse };
