import { type SaidWork, saidWork } from "../../claim/index.ts";

const MESSAGE_CHARS_MAX = 100_000;
const SENTENCE_CHARS_MAX = 1_000;
const DEEDS_MAX = 200;
const BLOCK = /^(?:```|~~~)[\s\S]*?^(?:```|~~~).*$/gm;

const FILE = "`[^`\\s]{1,300}`";
const UPDATE = new RegExp(
  // `feat(api): ` can come before the sentence itself.
  "^(?:[a-z]{2,12}(?:\\([^()]{1,40}\\))?!?:\\s)?" +
    "(?:update|change|modify|edit|rewrite|refactor|patch)s?\\s(?:(?:the|file|files|script|module)\\s){0,3}" +
    `(${FILE}(?:(?:,\\s?|,?\\s(?:and|&)\\s)${FILE}){0,20})(.{0,${SENTENCE_CHARS_MAX}})$`,
  "iu",
);
/** What may follow if the sentence is about the files themselves, and not about what refers to them. */
const GOES_ON = /^(?:[.!]?$|\s?[,;:(–—]|\s-\s|\s(?:so|to|for|with|which|accordingly)\b(?!\s`))/iu;

/**
 * What a commit's message says was changed, in the mood that such messages are written in: "Update
 * `src/a.js`". The same verb with the same file is as often about something else ("Update `src/a.js`
 * imports"), so that only sentences that say nothing but that are taken.
 */
export function updateDeeds(message: string): SaidWork[] {
  const said = sentencesOf(message.slice(0, MESSAGE_CHARS_MAX)).flatMap((text) => {
    const [, files = "", rest = ""] = UPDATE.exec(text) ?? [];
    if (files === "" || !GOES_ON.test(rest)) return [];
    // Which of them are files is known where the past is understood.
    return saidWork(`Updated ${files}.`).map((one) => ({ ...one, text }));
  });
  return said.slice(0, DEEDS_MAX);
}

/** Subject, paragraphs and items, each as one line; in the body a small letter goes on with a sentence. */
function sentencesOf(message: string): string[] {
  const [subject = "", ...body] = message.replace(BLOCK, "").split("\n");
  const parts = body.join("\n").split(/\n\s*\n|\n(?=\s{0,8}[-*+] )/);
  const sentences = parts.flatMap((part) => {
    const line = part
      .replace(/\s+/g, " ")
      .trim()
      .replace(/^[-*+] /, "");
    return line.slice(0, SENTENCE_CHARS_MAX).split(/(?<=[.!?])\s+(?=\p{Lu})/u);
  });
  const all = [subject.trim(), ...sentences.filter((one) => /^\p{Lu}/u.test(one))];
  return all.map((one) => one.slice(0, SENTENCE_CHARS_MAX));
}
