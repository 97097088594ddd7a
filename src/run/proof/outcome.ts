import type { ProofOutcome, WorkProof } from "../../schema/work-proof.ts";

const REASON_CHARS_MAX = 1_000;
const OUTPUT_CHARS_MAX = 16_000;
/** Enough of the beginning to see what was run; the rest of the room is for the end. */
const HEAD_CHARS = 4_000;

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const COLOURS = /\u001b\[[0-9;]{0,20}m/g;
/** Control characters but tab and newline, and marks that turn the direction of text around. */
const CONTROLS = /(?![\t\n])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu;

/** The proof holds. */
export function pass(proof: WorkProof, reason: string, output = ""): ProofOutcome {
  return outcome(proof, "pass", reason, output);
}

/** The check was made, and it does not hold. */
export function fail(proof: WorkProof, reason: string, output = ""): ProofOutcome {
  return outcome(proof, "fail", reason, output);
}

/** The check could not be made, or decided nothing. */
export function unproven(proof: WorkProof, reason: string, output = ""): ProofOutcome {
  return outcome(proof, "unproven", reason, output);
}

function outcome(
  proof: WorkProof,
  verdict: ProofOutcome["verdict"],
  reason: string,
  output: string,
): ProofOutcome {
  return {
    proof,
    verdict,
    reason: harmless(reason.slice(0, REASON_CHARS_MAX)),
    output: shownOutput(output),
  };
}

/** What a program printed, as it may be kept and shown: its beginning and its end. */
export function shownOutput(text: string): string {
  return harmless(cutMiddle(text));
}

/** What a program prints can move a terminal's cursor, or hide what stands there. */
function harmless(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replace(COLOURS, "")
    .replace(CONTROLS, "\ufffd")
    .toWellFormed();
}

/** Programs say first what they do and last how it went: what lies between is left out first. */
function cutMiddle(text: string): string {
  if (text.length <= OUTPUT_CHARS_MAX) return text;
  const tail = OUTPUT_CHARS_MAX - HEAD_CHARS;
  const left = text.length - OUTPUT_CHARS_MAX;
  return `${text.slice(0, HEAD_CHARS)}\n… ${left} characters left out …\n${text.slice(-tail)}`;
}

/** Somebody else's text within a sentence of ours: short, on one line, and with its ends shown. */
export function quoted(text: string, charsMax = 200): string {
  return JSON.stringify(text.length > charsMax ? `${text.slice(0, charsMax)}…` : text);
}
