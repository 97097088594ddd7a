const fs = require("fs");
const path = require("path");
const url = require("url");

module.exports = (root) => (req, res) => {
  const asked = decodeURIComponent(url.parse(req.url).pathname);
  const file = path.join(root, path.join("/", asked));
  fs.createReadStream(file).pipe(res);
};
