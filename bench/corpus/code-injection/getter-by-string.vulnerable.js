module.exports = function getter(path) {
  if (typeof path !== 'string') throw new TypeError('path must be a string');
  return Function('o', 'return o.' + path); // sink: code-injection
};
