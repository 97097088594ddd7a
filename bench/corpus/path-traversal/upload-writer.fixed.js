const fs = require('fs');
const path = require('path');
const formidable = require('formidable');

exports.upload = function upload(req, res) {
  const name = req.headers['x-file-name'];
  if (!name || /[\\/]|\.\./.test(name)) {
    res.statusCode = 400;
    return res.end();
  }
  const target = path.resolve('./uploads', name);
  const stream = fs.createWriteStream(target);
  req.pipe(stream);
  stream.on('finish', () => res.end('ok'));
};
