const fs = require("fs");
const path = require("path");
const url = require("url");

module.exports = (root) => (req, res) => {
  const asked = path.normalize(url.parse(req.url).pathname);
  const file = path.join(root, decodeURIComponent(asked));
  fs.createReadStream(file).pipe(res); // sink: path-traversal
};
