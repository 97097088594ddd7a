'use strict';

function unflatten(flat, delimiter) {
  delimiter = delimiter || '.';
  const result = {};
  Object.keys(flat).forEach((compound) => {
    const parts = compound.split(delimiter);
    let target = result;
    while (parts.length > 1) {
      const key = parts.shift();
      if (!(key in target)) target[key] = {};
      target = target[key];
    }
    target[parts[0]] = flat[compound]; // sink: prototype-pollution
  });
  return result;
}

module.exports = { unflatten };
