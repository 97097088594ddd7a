export function readQuery(text) {
  const found = {};
  for (const pair of text.split("&")) {
    const at = pair.indexOf("=");
    const key = decodeURIComponent(pair.slice(0, at));
    found[key] = decodeURIComponent(pair.slice(at + 1)); // sink: prototype-pollution
  }
  return found;
}
