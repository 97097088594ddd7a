'use strict';

const quoted = (text) => text.replace(/[|\\{}()[\]^$+*?.]/g, '\\$&');

module.exports = (text, separator = '_') =>
  text
    .replace(/([a-z\d])([A-Z])/g, `$1${separator}$2`)
    .replace(new RegExp('(' + quoted(separator) + '[A-Z])([A-Z])', 'g'), `$1${separator}$2`)
    .toLowerCase();
