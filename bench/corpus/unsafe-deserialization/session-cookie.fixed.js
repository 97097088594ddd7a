module.exports = function session(options) {
  const name = options.name || 'session';
  return function (req, res, next) {
    const raw = req.cookies[name];
    if (raw) {
      const text = Buffer.from(raw, 'base64').toString();
      req.session = JSON.parse(text);
    }
    next();
  };
};
