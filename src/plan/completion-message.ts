/** The most words an agent may send its lead when it is done. */
export const MESSAGE_WORDS_MAX = 50;
/** Words can be glued together; this bounds the message all the same. */
const MESSAGE_CHARS_MAX = 2_000;

const OPENING = "Seal: ";
const ROLE_END = " complete. Path: ";
const PATH_END = ". Findings: ";
const COUNTS =
  /^(\d{1,7}) P1, (\d{1,7}) P2, (\d{1,7}) P3\.(?: Confidence: (\d(?:\.\d{1,6})?)\.)?(?: Self-reviewed: (yes|no)\.)?$/;

/** What an agent told its lead. It is a hint about where to look, never a count to rely on. */
export interface CompletionMessage {
  readonly role: string;
  readonly path: string;
  readonly p1: number;
  readonly p2: number;
  readonly p3: number;
  /** In points; absent in the short form. */
  readonly confidence?: number;
  readonly selfReviewed?: boolean;
}

/** What a message says, or why it does not arrive; the words are counted either way. */
export type MessageCheck =
  | { readonly kind: "message"; readonly words: number; readonly message: CompletionMessage }
  | { readonly kind: "refused"; readonly words: number; readonly reason: string };

/** The one place where the limit on completion messages is enforced: a longer one does not arrive. */
export function checkCompletionMessage(text: string): MessageCheck {
  if (text.length > MESSAGE_CHARS_MAX) {
    const reason = `the message has ${text.length} letters, expected at most ${MESSAGE_CHARS_MAX}`;
    return { kind: "refused", words: wordsOf(text.slice(0, MESSAGE_CHARS_MAX)).length, reason };
  }
  const words = wordsOf(text);
  if (words.length > MESSAGE_WORDS_MAX) {
    const reason = `the message has ${words.length} words, expected at most ${MESSAGE_WORDS_MAX}; put the rest into the output file`;
    return { kind: "refused", words: words.length, reason };
  }
  const message = parse(words.join(" "));
  if (message === undefined) {
    const reason =
      'expected "Seal: {role} complete. Path: {output_file}. Findings: N P1, N P2, N P3." and, if wanted, "Confidence: 0.X. Self-reviewed: yes."';
    return { kind: "refused", words: words.length, reason };
  }
  return { kind: "message", words: words.length, message };
}

function wordsOf(text: string): string[] {
  return text.split(/\s/).filter((word) => word !== "");
}

function parse(line: string): CompletionMessage | undefined {
  const roleEnd = line.indexOf(ROLE_END);
  const pathEnd = line.lastIndexOf(PATH_END);
  const pathStart = roleEnd + ROLE_END.length;
  if (!line.startsWith(OPENING) || roleEnd <= OPENING.length || pathEnd <= pathStart) return;
  const counts = COUNTS.exec(line.slice(pathEnd + PATH_END.length));
  if (counts === null) return;
  const [, p1, p2, p3, confidence, reviewed] = counts;
  const points = confidence === undefined ? undefined : Math.round(Number(confidence) * 100);
  if (points !== undefined && points > 100) return;
  return {
    role: line.slice(OPENING.length, roleEnd),
    path: line.slice(pathStart, pathEnd),
    p1: Number(p1),
    p2: Number(p2),
    p3: Number(p3),
    ...(points === undefined ? {} : { confidence: points }),
    ...(reviewed === undefined ? {} : { selfReviewed: reviewed === "yes" }),
  };
}
