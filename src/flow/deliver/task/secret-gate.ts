import { secretFileRule } from "../../../scan/classify/index.ts";
import { findSecrets } from "../../../scan/secret/index.ts";
import type { ExecRefusal } from "../../exec/exec-outcome.ts";

const WINDOW_CHARS = 1 << 20;
/** No secret that is known by its form is longer. */
const OVERLAP_CHARS = 16_384;
const SHOWN_MAX = 5;

/** A text that is going to leave, piece by piece. */
export interface LeavingText {
  readonly name: string;
  readonly chunks: Iterable<Buffer> | AsyncIterable<Buffer>;
}

/**
 * The one gate before every sink: nothing that looks like a secret leaves, and the answer says where
 * it was found and never what it was. The tokens of the delivery itself are searched for as well.
 */
export async function secretGate(
  texts: Iterable<LeavingText>,
  changed: readonly string[],
  held: readonly string[],
): Promise<ExecRefusal | undefined> {
  const found: string[] = changed.filter(isSecretFile).map((path) => `${path} (its name)`);
  for (const text of texts) {
    if (found.length >= SHOWN_MAX) break;
    const rule = await firstIn(text, held);
    if (rule !== undefined) found.push(`${text.name} (${rule})`);
  }
  if (found.length === 0) return undefined;
  const shown = found.slice(0, SHOWN_MAX).join(", ");
  return {
    rule: "W.2",
    reason: `what looks like a secret is in ${shown}; take it out, and change it`,
  };
}

async function firstIn(
  { chunks }: LeavingText,
  held: readonly string[],
): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of chunks) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length < WINDOW_CHARS) continue;
    const rule = findSecrets(text, { held })[0]?.rule;
    if (rule !== undefined) return rule;
    text = text.slice(-OVERLAP_CHARS);
  }
  return findSecrets(text, { held })[0]?.rule;
}

/** By its name alone; what is in it is searched with everything else. */
function isSecretFile(path: string): boolean {
  return secretFileRule(path, Buffer.alloc(0)) !== undefined;
}
