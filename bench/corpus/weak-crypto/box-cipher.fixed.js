const crypto = require('crypto');
const ALGORITHM = 'aes-256-cbc';

class Box {
  constructor(key) {
    this.key = key;
  }

  seal(text) {
    const iv = crypto.randomBytes(16);
    const cipher = crypto.createCipheriv(ALGORITHM, this.key, iv);
    return iv.toString('hex') + cipher.update(text, 'utf8', 'hex') + cipher.final('hex');
  }
}

module.exports = Box;
