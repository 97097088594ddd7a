const unzipper = require('unzipper');
const fs = require('fs');
const path = require('path');

module.exports = function extract(archive, destination) {
  return fs.createReadStream(archive)
    .pipe(unzipper.Parse())
    .on('entry', function (entry) {
      const target = path.join(destination, entry.path);
      if (entry.type === 'Directory') {
        return entry.autodrain();
      }
      entry.pipe(fs.createWriteStream(target)); // sink: path-traversal
    })
    .promise();
};
