;(function (root, factory) {
  if (typeof module === 'object' && module.exports) module.exports = factory();
  else root.extend = factory();
})(this, function () {
  function isPlain(value) {
    return Object.prototype.toString.call(value) === '[object Object]';
  }

  return function extend(deep, target) {
    var sources = Array.prototype.slice.call(arguments, 2);
    function copy(to, source) {
      Object.keys(source).forEach(function (property) {
        var value = source[property];
        if (deep && isPlain(value)) {
          if (!isPlain(to[property])) to[property] = {};
          copy(to[property], value);
        } else if (value !== undefined) {
          to[property] = value; // sink: prototype-pollution
        }
      });
    }
    for (var i = 0; i < sources.length; i++) copy(target, sources[i]);
    return target;
  };
});
