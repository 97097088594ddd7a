/** Shorter ones would be found in everything. */
const SECRET_CHARS_MIN = 8;
const STAR = 0x2a;

/**
 * Takes a secret out of a stream, byte for byte, so that its length stays. A service that repeats the
 * headers of a request in its answer, in an error for example, would otherwise hand the credential to
 * an agent that must never hold it. At most the beginning of a secret is held back, and only where a
 * piece ends with it.
 */
export class SecretMask {
  readonly #secret: Buffer;
  #held: Buffer = Buffer.alloc(0);

  private constructor(secret: Buffer) {
    this.#secret = secret;
  }

  /** Undefined where there is nothing to be found. */
  static of(secret: string | undefined): SecretMask | undefined {
    if (secret === undefined || secret.length < SECRET_CHARS_MIN) return undefined;
    return new SecretMask(Buffer.from(secret));
  }

  /** What may be passed on by now. */
  take(piece: Buffer): Buffer {
    const bytes = Buffer.concat([this.#held, piece]);
    const secret = this.#secret;
    for (let at = bytes.indexOf(secret); at >= 0; at = bytes.indexOf(secret, at)) {
      bytes.fill(STAR, at, at + secret.length);
    }
    const keep = this.#begun(bytes);
    this.#held = bytes.subarray(bytes.length - keep);
    return bytes.subarray(0, bytes.length - keep);
  }

  /** What was held back, when nothing follows. */
  end(): Buffer {
    const rest = this.#held;
    this.#held = Buffer.alloc(0);
    return rest;
  }

  /** A whole text at once. */
  text(text: string): string {
    return text.replaceAll(this.#secret.toString("utf8"), (found) => "*".repeat(found.length));
  }

  /** How many bytes at the end may be the beginning of the secret. */
  #begun(bytes: Buffer): number {
    const most = Math.min(bytes.length, this.#secret.length - 1);
    for (let count = most; count > 0; count -= 1) {
      if (bytes.subarray(bytes.length - count).equals(this.#secret.subarray(0, count)))
        return count;
    }
    return 0;
  }
}
