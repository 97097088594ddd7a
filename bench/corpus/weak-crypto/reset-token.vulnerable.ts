const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';

export function createResetToken(length = 32): string {
  let token = '';
  for (let i = 0; i < length; i++) {
    token += ALPHABET[Math.floor(Math.random() * ALPHABET.length)]; // sink: weak-crypto
  }
  return token;
}
