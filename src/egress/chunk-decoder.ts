const SIZE_LINE_CHARS_MAX = 16;
const LF = 0x0a;

/** Takes the pieces out of a chunked body, by a grammar without extensions and trailers. */
export class ChunkDecoder {
  #line = "";
  #left = 0;
  #state: "size" | "data" | "data-end" | "last" | "over" | "broken" = "size";
  readonly #onPiece: (piece: Buffer) => void;

  constructor(onPiece: (piece: Buffer) => void) {
    this.#onPiece = onPiece;
  }

  /** The end was seen, and nothing behind it. */
  get isOver(): boolean {
    return this.#state === "over";
  }

  get isBroken(): boolean {
    return this.#state === "broken";
  }

  write(bytes: Buffer): void {
    let at = 0;
    while (at < bytes.length && this.#state !== "broken") {
      if (this.#state === "over") this.#state = "broken";
      else if (this.#state === "data") at = this.#takeData(bytes, at);
      else at = this.#takeLine(bytes, at);
    }
  }

  #takeData(bytes: Buffer, at: number): number {
    const end = Math.min(bytes.length, at + this.#left);
    this.#onPiece(bytes.subarray(at, end));
    this.#left -= end - at;
    if (this.#left === 0) this.#state = "data-end";
    return end;
  }

  #takeLine(bytes: Buffer, at: number): number {
    const newline = bytes.indexOf(LF, at);
    const end = newline < 0 ? bytes.length : newline + 1;
    this.#line += bytes.toString("latin1", at, Math.min(end, at + SIZE_LINE_CHARS_MAX + 1));
    if (this.#line.length > SIZE_LINE_CHARS_MAX) this.#state = "broken";
    else if (newline >= 0) this.#endLine();
    return end;
  }

  #endLine(): void {
    const line = this.#line;
    this.#line = "";
    if (this.#state === "size") {
      const size = /^([0-9a-f]{1,8})\r\n$/i.exec(line)?.[1];
      this.#left = size === undefined ? 0 : Number.parseInt(size, 16);
      if (size === undefined) this.#state = "broken";
      else this.#state = this.#left === 0 ? "last" : "data";
      return;
    }
    const next = this.#state === "last" ? "over" : "size";
    this.#state = line === "\r\n" ? next : "broken";
  }
}
