"use strict";

const REFUSED = new Set(["__proto__", "constructor", "prototype"]);

// Puts a value at a dotted path; no step may lead to a prototype.
function put(target, path, value) {
  const steps = path.split(".");
  if (steps.some((step) => REFUSED.has(step))) return target;
  const last = steps.pop();
  let node = target;
  for (const step of steps) {
    if (node[step] === undefined) node[step] = {};
    node = node[step];
  }
  node[last] = value;
  return target;
}

module.exports = { put };
