const http = require('http');
const fs = require('fs');
const path = require('path');

module.exports = function serve(root, port) {
  const server = http.createServer(function (req, res) {
    const pathname = decodeURIComponent(req.url.split('?')[0]);
    const file = path.join(root, pathname);
    fs.readFile(file, function (err, data) { // sink: path-traversal
      if (err) {
        res.statusCode = 404;
        return res.end('not found');
      }
      res.end(data);
    });
  });
  return server.listen(port);
};
