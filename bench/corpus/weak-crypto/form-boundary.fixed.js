const { randomBytes } = require("crypto");

module.exports = function makeBoundary() {
  return `--${randomBytes(12).toString("hex")}`;
};
