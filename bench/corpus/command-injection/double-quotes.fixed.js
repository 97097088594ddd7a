const { execFile } = require("child_process");

module.exports = function listOpen(paths, done) {
  execFile("lsof", ["--", ...paths], done);
};
