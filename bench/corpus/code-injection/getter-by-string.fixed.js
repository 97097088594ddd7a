module.exports = function getter(path) {
  if (typeof path !== 'string') throw new TypeError('path must be a string');
  if (!/^[\w$]+(?:\.[\w$]+)*$/.test(path)) throw new TypeError('path must be dotted names');
  return Function('o', 'return o.' + path);
};
