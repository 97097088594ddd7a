'use strict';

const OPERATORS = {
  '>': (a, b) => a > b,
  '<': (a, b) => a < b,
  '=': (a, b) => a === b,
};

/**
 * Compiles a filter expression such as "age > 30".
 */
function compile(expression) {
  const [field, operator, value] = expression.split(' ');
  const compare = OPERATORS[operator];
  if (!compare) throw new SyntaxError('unknown operator');
  return (item) => compare(item[field], JSON.parse(value));
}

exports.filter = function (items, expression) {
  const test = compile(expression);
  return items.filter((item) => test(item));
};
