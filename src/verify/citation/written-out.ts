const WRITTEN_OUT = /⟦U\+([0-9A-F]{4,6})⟧/g;
const CODE_POINT_MAX = 0x10ffff;

/**
 * A text with the hidden characters that reports write out put back: `⟦U+0007⟧` is a bell. What a
 * reader is shown without danger must still be found in the source. Undefined where there are none.
 */
export function withHidden(text: string): string | undefined {
  if (!text.includes("⟦U+")) return undefined;
  const put = text.replace(WRITTEN_OUT, (written: string, hex: string) => {
    const code = Number.parseInt(hex, 16);
    return code <= CODE_POINT_MAX ? String.fromCodePoint(code) : written;
  });
  return put === text ? undefined : put;
}
