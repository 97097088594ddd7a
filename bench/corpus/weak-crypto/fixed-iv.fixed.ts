import { createCipheriv, randomBytes } from 'node:crypto';

export function encrypt(key: Buffer, text: string): string {
  const iv = randomBytes(16);
  const cipher = createCipheriv('aes-256-cbc', key, iv);
  return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final()]).toString('base64');
}
