const FORMATS = {
  version: /^\d+(\.\d+)*$/,
  words: /^(\w+\s?)+$/, // sink: redos
};

module.exports = (name, text) => FORMATS[name].test(text);
