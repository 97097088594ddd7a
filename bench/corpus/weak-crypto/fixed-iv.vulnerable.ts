import { createCipheriv } from 'node:crypto';

const IV = '0123456789abcdef';

export function encrypt(key: Buffer, text: string): string {
  const cipher = createCipheriv('aes-256-cbc', key, IV); // sink: weak-crypto
  return Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]).toString('base64');
}
