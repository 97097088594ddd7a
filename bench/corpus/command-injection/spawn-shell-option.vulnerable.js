var spawn = require('child_process').spawn;

exports.lint = function (files, opts, done) {
  var args = ['--format', 'json'].concat(files);
  if (opts.fix) args.push('--fix');
  var child = spawn('linter', args, { shell: true, stdio: 'pipe' }); // sink: command-injection
  var out = '';
  child.stdout.on('data', function (chunk) { out += chunk; });
  child.on('close', function (code) { done(code, out); });
};
