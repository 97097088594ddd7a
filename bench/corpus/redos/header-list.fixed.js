'use strict';

module.exports = function accepts(req) {
  var header = req.headers['accept-encoding'] || '';
  return header.split(',').map(function (part) {
    return part.trim().toLowerCase();
  });
};
