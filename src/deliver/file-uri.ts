/** Segments that mean a place and not a name. */
const MOVES = new Set(["", ".", ".."]);

/**
 * A cited path as a relative URI reference, or undefined when it names nothing inside the tree: an
 * absolute path, one that climbs out, or an empty one. Readers resolve it against a folder, and a
 * path such as `//host/share` would lead them to another machine.
 */
export function fileUri(path: string): string | undefined {
  const segments = path.toWellFormed().split("/");
  if (segments.some((segment) => MOVES.has(segment))) return undefined;
  return segments.map(encodeSegment).join("/");
}

function encodeSegment(segment: string): string {
  return encodeURIComponent(segment).replace(
    /[!'()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
