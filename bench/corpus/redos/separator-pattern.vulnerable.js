'use strict';

module.exports = (text, separator = '_') =>
  text
    .replace(/([a-z\d])([A-Z])/g, `$1${separator}$2`)
    .replace(new RegExp('(' + separator + '[A-Z])([A-Z])', 'g'), `$1${separator}$2`) // sink: redos
    .toLowerCase();
