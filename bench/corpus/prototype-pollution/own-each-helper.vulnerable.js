var hasOwn = Object.prototype.hasOwnProperty;

function eachOwn(object, visit) {
  for (var name in object) {
    if (hasOwn.call(object, name)) visit(object[name], name);
  }
}

function mixin(target, source) {
  eachOwn(source, function (value, name) {
    if (value && typeof value === 'object' && target[name]) {
      mixin(target[name], value);
    } else {
      target[name] = value; // sink: prototype-pollution
    }
  });
  return target;
}

module.exports = mixin;
