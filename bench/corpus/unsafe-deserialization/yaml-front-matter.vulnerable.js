const yaml = require('js-yaml');

function split(text) {
  const parts = text.split('---');
  return { head: parts[1], body: parts.slice(2).join('---') };
}

module.exports = function frontMatter(text) {
  const { head, body } = split(text);
  return { attributes: yaml.load(head), body }; // sink: unsafe-deserialization
};
