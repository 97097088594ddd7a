var hasOwn = Object.prototype.hasOwnProperty;
var REFUSED = ['__proto__', 'constructor', 'prototype'];

function eachOwn(object, visit) {
  for (var name in object) {
    if (hasOwn.call(object, name) && REFUSED.indexOf(name) === -1) visit(object[name], name);
  }
}

function mixin(target, source) {
  eachOwn(source, function (value, name) {
    if (value && typeof value === 'object' && target[name]) {
      mixin(target[name], value);
    } else {
      target[name] = value;
    }
  });
  return target;
}

module.exports = mixin;
