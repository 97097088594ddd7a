"use strict";

// Puts a value at a dotted path; one of the bad keys is refused.
function put(target, path, value) {
  const steps = path.split(".");
  const last = steps.pop();
  let node = target;
  for (const step of steps) {
    if (step === "__proto__") return target;
    if (node[step] === undefined) node[step] = {};
    node = node[step];
  }
  node[last] = value; // sink: prototype-pollution
  return target;
}

module.exports = { put };
