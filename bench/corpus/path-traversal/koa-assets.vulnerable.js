const fs = require('fs');
const path = require('path');

module.exports = (root) => async (ctx, next) => {
  if (ctx.method !== 'GET') return next();
  const wanted = path.normalize(root + '/' + ctx.path);
  ctx.body = fs.createReadStream(wanted); // sink: path-traversal
};
