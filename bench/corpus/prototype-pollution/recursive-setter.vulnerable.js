exports.set = function set(object, keys, value) {
  if (typeof keys === 'string') keys = keys.split('.');
  var key = keys[0];
  if (keys.length === 1) {
    object[key] = value; // sink: prototype-pollution
  } else {
    if (object[key] === undefined) object[key] = isNaN(keys[1]) ? {} : [];
    exports.set(object[key], keys.slice(1), value);
  }
  return object;
};
