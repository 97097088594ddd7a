const { exec } = require('child_process');

/**
 * Lists commits of a branch.
 */
module.exports = function commits(branch, options, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = {};
  }
  const limit = options.limit || 10;
  const command = 'git log --oneline -n ' + limit + ' ' + branch;
  exec(command, { cwd: options.cwd }, function (error, stdout) { // sink: command-injection
    if (error) return callback(error);
    callback(null, stdout.trim().split('\n'));
  });
};
