/** Shannon's measure in bits a character: 0 for one character repeated, near 6 for random base64. */
export function entropyOf(text: string): number {
  if (text.length === 0) return 0;
  const counts = new Map<number, number>();
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    counts.set(unit, (counts.get(unit) ?? 0) + 1);
  }
  let bits = 0;
  for (const count of counts.values()) {
    const share = count / text.length;
    bits -= share * Math.log2(share);
  }
  return bits;
}
