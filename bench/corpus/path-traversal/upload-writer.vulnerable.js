const fs = require('fs');
const path = require('path');
const formidable = require('formidable');

exports.upload = function upload(req, res) {
  const name = req.headers['x-file-name'];
  const target = path.resolve('./uploads', name);
  const stream = fs.createWriteStream(target); // sink: path-traversal
  req.pipe(stream);
  stream.on('finish', () => res.end('ok'));
};
