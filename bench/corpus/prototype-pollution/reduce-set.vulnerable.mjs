const toSegments = (path) => (Array.isArray(path) ? path : path.split('/').filter(Boolean));

/** Writes a value at a JSON-pointer like path. */
export function put(document, pointer, value) {
  const segments = toSegments(pointer);
  const leaf = segments.pop();
  const parent = segments.reduce((node, segment) => {
    if (node[segment] === undefined) node[segment] = {};
    return node[segment];
  }, document);
  parent[leaf] = value; // sink: prototype-pollution
  return document;
}

export default put;
