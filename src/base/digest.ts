import { hash } from "node:crypto";

/** SHA-256 in lower-case hexadecimal. Text is hashed as UTF-8. */
export function sha256Hex(data: string | Uint8Array): string {
  return hash("sha256", data, "hex");
}

/** SHA-256 as raw bytes. */
export function sha256(data: string | Uint8Array): Buffer {
  return hash("sha256", data, "buffer");
}

/** SHA-256 as 32 latin1 characters ("binary" is Node's other name for it): raw bytes that cost no buffer of their own. */
export function sha256Latin1(data: Uint8Array): string {
  return hash("sha256", data, "binary");
}
