function decode(text) {
  return decodeURIComponent(text.replace(/\+/g, ' '));
}

function parse(query) {
  var result = {};
  query.split('&').forEach(function (pair) {
    var at = pair.indexOf('=');
    var name = decode(at < 0 ? pair : pair.slice(0, at));
    var value = at < 0 ? '' : decode(pair.slice(at + 1));
    var keys = name.split(/[\[\]]+/).filter(Boolean);
    var current = result;
    for (var i = 0; i < keys.length; i++) {
      var key = keys[i];
      if (i === keys.length - 1) {
        current[key] = value; // sink: prototype-pollution
      } else {
        current = current[key] || (current[key] = {});
      }
    }
  });
  return result;
}

module.exports = { parse: parse };
