const toSegments = (path) => (Array.isArray(path) ? path : path.split('/').filter(Boolean));

function isUnsafeKey(key) {
  return key === '__proto__' || key === 'prototype' || key === 'constructor';
}

/** Writes a value at a JSON-pointer like path. */
export function put(document, pointer, value) {
  const segments = toSegments(pointer);
  if (segments.some(isUnsafeKey)) throw new Error('unsafe pointer');
  const leaf = segments.pop();
  const parent = segments.reduce((node, segment) => {
    if (node[segment] === undefined) node[segment] = {};
    return node[segment];
  }, document);
  parent[leaf] = value;
  return document;
}

export default put;
