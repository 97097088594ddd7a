'use strict';

function toValue(node) {
  if (node.type === 'text') return node.text;
  const object = {};
  for (const child of node.children) {
    const name = child.name;
    if (name === '__proto__') throw new Error('this name is not allowed');
    object[name] = toValue(child);
  }
  return object;
}

exports.toValue = toValue;
