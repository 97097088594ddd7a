var EMAIL = /^[a-zA-Z0-9]+(?:[-._][a-zA-Z0-9]+)*@[a-z0-9]+(?:\.[a-z]{2,3}){1,2}$/;

exports.isEmail = function (text) {
  return EMAIL.test(text);
};
