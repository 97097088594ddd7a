function Template(defaults) {
  this.values = defaults || {};
}

Template.prototype.resolve = function (path, create) {
  var parts = path.split('.');
  var holder = this.values;
  for (var i = 0, n = parts.length - 1; i < n; i++) {
    var part = parts[i];
    if (part === '__proto__' || part === 'constructor') return null;
    if (create && holder[part] == null) holder[part] = {};
    holder = holder[part];
    if (holder == null) return null;
  }
  return { holder: holder, key: parts[parts.length - 1] };
};

Template.prototype.set = function (path, value) {
  var found = this.resolve(path, true);
  if (!found || found.key === '__proto__') return this;
  found.holder[found.key] = value;
  return this;
};

module.exports = Template;
