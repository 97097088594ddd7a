import { escapeBody } from "./escape-body.ts";

/** How soon a mail wants to be read. */
export const PRIORITIES = ["URGENT", "IMPORTANT", "NORMAL", "LOW"] as const;
export type Priority = (typeof PRIORITIES)[number];

/** A mail: four lines of head, and the text. Who it says it is from is its own word. */
export interface Envelope {
  readonly to: string;
  readonly from: string;
  readonly priority: Priority;
  readonly subject: string;
  readonly text: string;
}

/** A file that begins like this is read at once, however many came before it. */
export const URGENT_PREFIX = "URGENT_";

const EDGE = "---";
const HEADERS = ["TO", "FROM", "PRIORITY", "SUBJECT"] as const;
type Header = (typeof HEADERS)[number];
/** Names in envelopes are often written in capitals. */
const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/;
const SUBJECT_CHARS_MAX = 200;

/** Reads an envelope; what is wrong with it comes back as words. Nothing is guessed. */
export function parseEnvelope(file: string): Envelope | string {
  const lines = file.replaceAll("\r\n", "\n").split("\n");
  if (lines[0] !== EDGE) return `line 1: expected "${EDGE}"`;
  const end = lines.indexOf(EDGE, 1);
  if (end < 0) return `expected "${EDGE}" below the head, found none`;
  const head = readHead(lines.slice(1, end));
  if (typeof head === "string") return head;
  const text = lines
    .slice(end + 1)
    .join("\n")
    .trim();
  return text === "" ? "expected a text below the head, found none" : toEnvelope(head, text);
}

function readHead(lines: readonly string[]): Map<Header, string> | string {
  const head = new Map<Header, string>();
  for (const [index, line] of lines.entries()) {
    const colon = line.indexOf(":");
    const written = line.slice(0, Math.max(0, colon)).trim();
    const name = HEADERS.find((one) => one === written.toUpperCase());
    if (name === undefined) return `line ${index + 2}: expected one of ${HEADERS.join(", ")}`;
    if (head.has(name)) return `line ${index + 2}: ${name} is given twice`;
    head.set(name, line.slice(colon + 1).trim());
  }
  const missing = HEADERS.filter((name) => !head.has(name));
  return missing.length === 0 ? head : `expected ${missing.join(", ")} in the head, found none`;
}

function toEnvelope(head: ReadonlyMap<Header, string>, text: string): Envelope | string {
  const [to, from] = [head.get("TO") ?? "", head.get("FROM") ?? ""].map((one) => one.toLowerCase());
  const subject = head.get("SUBJECT") ?? "";
  const written = head.get("PRIORITY")?.toUpperCase();
  const priority = PRIORITIES.find((one) => one === written);
  if (to === undefined || !NAME.test(to)) return "TO: expected the name of an agent";
  if (from === undefined || !NAME.test(from)) return "FROM: expected the name of an agent";
  if (priority === undefined) return `PRIORITY: expected one of ${PRIORITIES.join(", ")}`;
  if (subject === "" || subject.length > SUBJECT_CHARS_MAX) {
    return `SUBJECT: expected 1 to ${SUBJECT_CHARS_MAX} characters, found ${subject.length}`;
  }
  return { to, from, priority, subject, text };
}

/** An envelope as a file that {@link parseEnvelope} reads. */
export function renderEnvelope({ to, from, priority, subject, text }: Envelope): string {
  const head = [
    `TO: ${to}`,
    `FROM: ${from}`,
    `PRIORITY: ${priority}`,
    `SUBJECT: ${oneLine(subject)}`,
  ];
  return `${[EDGE, ...head, EDGE].join("\n")}\n\n${escapeBody(text)}\n`;
}

function oneLine(text: string): string {
  return escapeBody(text.replace(/\s+/g, " ").trim());
}
