'use strict';

/**
 * Compiles a filter expression such as "item.age > 30".
 */
function compile(expression) {
  const body = 'return (' + expression + ');';
  return new Function('item', body); // sink: code-injection
}

exports.filter = function (items, expression) {
  const test = compile(expression);
  return items.filter((item) => test(item));
};
