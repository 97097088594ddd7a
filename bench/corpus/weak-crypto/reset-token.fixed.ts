import { randomInt } from 'node:crypto';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';

export function createResetToken(length = 32): string {
  let token = '';
  for (let i = 0; i < length; i++) {
    token += ALPHABET[randomInt(ALPHABET.length)];
  }
  return token;
}
