const crypto = require('crypto');

function hashPassword(password, salt) {
  return crypto.createHash('md5').update(salt + password).digest('hex'); // sink: weak-crypto
}

exports.create = (password) => {
  const salt = crypto.randomBytes(16).toString('hex');
  return `${salt}:${hashPassword(password, salt)}`;
};
