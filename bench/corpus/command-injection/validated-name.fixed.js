const { execSync } = require('child_process');

const NAME = /^(?:@[a-z0-9-]+\/)?[a-z0-9._-]+$/;

function versions(name) {
  if (!NAME.test(name)) throw new Error('not a package name');
  const raw = execSync('npm view ' + name + ' versions --json', { encoding: 'utf8' });
  return JSON.parse(raw);
}

module.exports = {
  latest(name) {
    const all = versions(name);
    return all[all.length - 1];
  },
};
