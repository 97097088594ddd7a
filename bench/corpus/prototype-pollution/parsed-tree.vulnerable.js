'use strict';

function toValue(node) {
  if (node.type === 'text') return node.text;
  const object = {};
  for (const child of node.children) {
    const name = child.name;
    object[name] = toValue(child); // sink: prototype-pollution
  }
  return object;
}

exports.toValue = toValue;
