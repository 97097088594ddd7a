'use strict';

function isObject(value) {
  return value !== null && (typeof value === 'object' || typeof value === 'function');
}

module.exports = function assignPath(target, path, value) {
  if (!isObject(target)) return target;
  const segments = Array.isArray(path) ? path : String(path).split('.');
  let node = target;
  segments.forEach((segment, index) => {
    if (segment === '__proto__' || segment === 'constructor' || segment === 'prototype') return;
    if (index === segments.length - 1) {
      node[segment] = value;
      return;
    }
    if (!isObject(node[segment])) node[segment] = {};
    node = node[segment];
  });
  return target;
};
