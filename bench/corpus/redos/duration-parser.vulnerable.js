module.exports = function parse(value) {
  value = String(value);
  var match = /^((?:\d+)?\.?\d+) *(milliseconds?|msecs?|ms|seconds?|secs?|s|minutes?|mins?|m)?$/i.exec(value); // sink: redos
  if (!match) return undefined;
  var n = parseFloat(match[1]);
  switch ((match[2] || 'ms').toLowerCase()) {
    case 's':
      return n * 1000;
    case 'm':
      return n * 60000;
    default:
      return n;
  }
};
