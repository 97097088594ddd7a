const fs = require('fs');
const path = require('path');

function isInside(root, file) {
  return file.startsWith(path.resolve(root) + path.sep);
}

module.exports = (root) => async (ctx, next) => {
  if (ctx.method !== 'GET') return next();
  const wanted = path.normalize(root + '/' + ctx.path);
  if (!isInside(root, wanted)) return ctx.throw(403);
  ctx.body = fs.createReadStream(wanted);
};
