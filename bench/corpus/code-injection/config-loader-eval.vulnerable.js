const fs = require('fs');

function readConfig(file) {
  const source = fs.readFileSync(file, 'utf8');
  return parse(source);
}

function parse(source) {
  return eval('(' + source + ')'); // sink: code-injection
}

module.exports = { readConfig, parse };
