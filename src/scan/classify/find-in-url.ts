import { findAll, hashOf, type SearchOptions } from "./find-all.ts";
import type { Redaction } from "./redact.ts";

/** Longer addresses carry a load of their own. */
const URL_CHARS_MAX = 16_384;
/** An address inside an address inside an address. */
const LEVELS_MAX = 3;

/**
 * Secrets and personal data in an address, as it is and with its percent signs decoded. Each
 * parameter is also read as a line of its own, because `token=` is a secret's name there, too.
 */
export function findInUrl(url: string, options: SearchOptions = {}): readonly Redaction[] {
  if (url.length > URL_CHARS_MAX) return [{ rule: "over-long-url", sha256: hashOf(url, options) }];
  const found = new Map<string, Redaction>();
  for (const view of viewsOf(url)) {
    for (const { rule, weight, start, end } of findAll(view, options)) {
      if (weight === "note") continue;
      const sha256 = hashOf(view.slice(start, end), options);
      found.set(`${rule} ${sha256}`, { rule, sha256 });
    }
  }
  return [...found.values()];
}

function viewsOf(url: string): Set<string> {
  const views = new Set<string>();
  let view = url;
  for (let level = 0; level <= LEVELS_MAX; level += 1) {
    views.add(view);
    views.add(view.replace(/[?&;#]/g, "\n"));
    const decoded = decodedOnce(view);
    if (decoded === view) break;
    view = decoded;
  }
  return views;
}

/** Bytes that are no UTF-8 stay visible as replacement characters; nothing throws. */
function decodedOnce(text: string): string {
  const plain = text.replaceAll("+", " ");
  return plain.replace(/(?:%[0-9A-Fa-f]{2}){1,5500}/g, (codes) =>
    Buffer.from(codes.replaceAll("%", ""), "hex").toString("utf8"),
  );
}
