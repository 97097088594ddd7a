const { execFile } = require('child_process');

/**
 * Lists commits of a branch.
 */
module.exports = function commits(branch, options, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = {};
  }
  const limit = options.limit || 10;
  const args = ['log', '--oneline', '-n', String(limit), branch];
  execFile('git', args, { cwd: options.cwd }, function (error, stdout) {
    if (error) return callback(error);
    callback(null, stdout.trim().split('\n'));
  });
};
