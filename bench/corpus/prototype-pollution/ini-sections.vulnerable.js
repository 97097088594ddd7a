module.exports.decode = function decode(text) {
  const out = {};
  let section = out;
  for (const raw of text.split(/\r?\n/)) {
    const line = raw.trim();
    if (!line || line.startsWith(';')) continue;
    const header = line.match(/^\[([^\]]*)\]$/);
    if (header) {
      const name = header[1];
      section = out[name] = out[name] || {};
      continue;
    }
    const at = line.indexOf('=');
    const key = line.slice(0, at).trim();
    section[key] = line.slice(at + 1).trim(); // sink: prototype-pollution
  }
  return out;
};
