const FORMATS = {
  version: /^\d+(\.\d+)*$/,
  words: /^\w+(?:\s\w+)*$/,
};

module.exports = (name, text) => FORMATS[name].test(text);
