import { sha256Hex } from "../../base/index.ts";
import { findOverrides } from "../../scan/override/index.ts";
import { ask } from "./ask.ts";
import { type Bus, RUNTIME } from "./bus.ts";

const PREFIX = "override-";
const ID_CHARS = 16;
/** So many of our own questions are looked for in a text, the latest first. */
const OWN_MAX = 500;
/** So many of them in a row stand for as few as were there before a text was written into another one. */
const BACKSLASHES_MAX = 100;

/**
 * Asks people about words in outside text that are meant for whoever reads it as a prompt. Nobody
 * obeys them; each is asked about once on a bus.
 *
 * @param source where the text comes from, as the question says it
 */
export async function askAboutOverrides(on: Bus, source: string, text: string): Promise<void> {
  // Our own questions are only looked for where there is something to ask about at all.
  if (findOverrides(text).length === 0) return;
  for (const { line, words, why } of findOverrides(withoutOwn(on, text))) {
    const name = `${PREFIX}${sha256Hex(`${source}\0${words}`).slice(0, ID_CHARS)}`;
    // Asked before: the bus refuses the same name, and that is what we want.
    await ask(on, RUNTIME, {
      question_id: ownName(on, name),
      text: `${source}, line ${line}: "${words}". To a reader that takes it for a prompt, ${why}. It was taken as data, and nobody obeys it. Does it belong there?`,
      default: "It stays what it is: data.",
    });
  }
}

/**
 * A text without our own questions in it, which quote what they are about: whoever reads the bus and
 * prints it says nothing new. Only what was really asked here is left out, word for word.
 */
function withoutOwn(on: Bus, text: string): string {
  const asked = [...on.talk().questions.values()].filter(
    ({ question_id, by }) => by === RUNTIME.agent && question_id.startsWith(PREFIX),
  );
  return asked
    .slice(-OWN_MAX)
    .reduce((rest, question) => rest.replace(asPrinted(question.text), " … "), text);
}

/** A text as it stands in prose, or in JSON that was perhaps written into JSON once more. */
function asPrinted(text: string): RegExp {
  const pattern = text.replace(/(\\*)"|\\+|[$()*+.?[\]^{|}]/g, (found, before?: string) => {
    if (!found.startsWith("\\") && found !== '"') return `\\${found}`;
    // Each run of them is one repetition: several in a row could be tried in too many ways.
    const run = `\\\\{${(before ?? found).length},${BACKSLASHES_MAX}}`;
    return before === undefined ? run : `${run}"`;
  });
  return new RegExp(pattern, "g");
}

/** A name that somebody else took for a question of their own must not keep ours from being asked. */
function ownName(on: Bus, name: string): string {
  const { questions } = on.talk();
  let free = name;
  for (let next = 2; (questions.get(free)?.by ?? RUNTIME.agent) !== RUNTIME.agent; next += 1) {
    free = `${name}.${next}`;
  }
  return free;
}
