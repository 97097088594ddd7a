const crypto = require('crypto');
const ALGORITHM = 'aes-256-cbc';

class Box {
  constructor(key) {
    this.key = key;
  }

  seal(text) {
    const cipher = crypto.createCipher(ALGORITHM, this.key); // sink: weak-crypto
    return cipher.update(text, 'utf8', 'hex') + cipher.final('hex');
  }
}

module.exports = Box;
