'use strict';

function unflatten(flat, delimiter) {
  delimiter = delimiter || '.';
  const result = {};
  Object.keys(flat).forEach((compound) => {
    const parts = compound.split(delimiter);
    let target = result;
    while (parts.length > 1) {
      const key = parts.shift();
      if (!Object.prototype.hasOwnProperty.call(target, key)) target[key] = {};
      target = target[key];
    }
    Object.defineProperty(target, parts[0], { value: flat[compound], enumerable: true, writable: true, configurable: true });
  });
  return result;
}

module.exports = { unflatten };
