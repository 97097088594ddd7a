var hasOwn = Object.prototype.hasOwnProperty;

function mergeDeep(into, other) {
  if (!other) return into;
  for (var name in other) {
    if (hasOwn.call(other, name) && name !== '__proto__' && name !== 'constructor') {
      var next = other[name];
      if (next && typeof next === 'object' && !Array.isArray(next)) {
        into[name] = into[name] || {};
        mergeDeep(into[name], next);
      } else {
        into[name] = next;
      }
    }
  }
  return into;
}

exports.mergeDeep = mergeDeep;
exports.defaults = function (options) {
  return mergeDeep({ retries: 3 }, options);
};
