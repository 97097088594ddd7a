const { exec } = require("child_process");

const quoted = (path) => `"${path.replace(/"/g, '\\"')}"`;

module.exports = function listOpen(paths, done) {
  exec(`lsof -- ${paths.map(quoted).join(" ")}`, done); // sink: command-injection
};
