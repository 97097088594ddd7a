const { execSync } = require('child_process');

function versions(name) {
  const raw = execSync('npm view ' + name + ' versions --json', { encoding: 'utf8' }); // sink: command-injection
  return JSON.parse(raw);
}

module.exports = {
  latest(name) {
    const all = versions(name);
    return all[all.length - 1];
  },
};
