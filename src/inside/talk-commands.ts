import {
  given,
  type InsideCommand,
  type InsideWords,
  Misused,
  scopeOf,
  textOf,
  textsOf,
  told,
} from "./inside-command.ts";
import { readBus } from "./read-bus.ts";
import { spokenText } from "./spoken-text.ts";
import {
  askedWords,
  busWords,
  factWords,
  stateWords,
  type ToldFact,
  type ToldState,
  toMoment,
} from "./talk-words.ts";

const text = { type: "string" } as const;
const many = { type: "string", multiple: true } as const;
const flag = { type: "boolean" } as const;

interface Said {
  readonly id: string;
  readonly task: string | null;
}

interface Asked {
  readonly question: string;
  readonly id: string;
  readonly answer: string | null;
  readonly by: string | null;
}

/** Saying, asking and reading from inside a run, in the words of the command line outside. */
export const TALK_COMMANDS: readonly InsideCommand[] = [
  {
    path: ["bus", "post"],
    usage:
      "sworn bus post [text…] [--kind KIND] [--parent ID[:KIND]] [--meta NAME=VALUE] [--issue ID] [--file FILE] [--project]",
    about: "say something to everybody who works on this task, or on the project",
    example: "sworn bus post --kind PROGRESS 'The parser reads all samples.'",
    options: { kind: text, parent: many, meta: many, issue: text, file: text, project: flag },
    run: async (words, ask, io) => {
      const meta = textsOf(words, "meta").map(pairOf);
      const args = given({
        text: await spokenText(words, io),
        kind: textOf(words, "kind")?.toUpperCase(),
        scope: scopeOf(words),
        parents: textsOf(words, "parent").map(parentOf),
        issue_id: textOf(words, "issue"),
        meta: meta.length === 0 ? undefined : Object.fromEntries(meta),
      });
      const outcome = await ask("bus.post", args);
      return told<Said>(outcome, (said) => `Said ${said.id} on ${busWords(said)}.`);
    },
  },
  {
    path: ["bus", "read"],
    usage: "sworn bus read [message] [--since ID] [--kind KIND] [--last N] [--follow] [--project]",
    about: "show what was said; with --follow, go on as it is said",
    example: "sworn bus read --since MSG-12",
    options: {
      since: text,
      kind: many,
      last: { ...text, short: "n" },
      follow: { ...flag, short: "f" },
      project: flag,
    },
    run: readBus,
  },
  {
    path: ["ask"],
    usage:
      "sworn ask <question…> --default ANSWER [--id NAME] [--deadline 2h] [--beats N] [--tier N] [--to AGENT] [--file FILE] | sworn ask --question ID",
    about: "ask something, with the answer that holds without one; or look an answer up",
    example: "sworn ask 'Which of the two parsers stays?' --default 'Both'",
    options: {
      ...{ default: text, question: text, deadline: text, beats: text, tier: text },
      ...{ to: many, file: text, id: text },
    },
    run: async (words, ask, io) => {
      const question = textOf(words, "question");
      if (question !== undefined) {
        return told<Asked>(await ask("ask", { question }), ({ answer, by }) =>
          answer === null ? `${question} is not answered yet` : `${by}: ${answer}`,
        );
      }
      const deadline = momentOf(textOf(words, "deadline"));
      const to = textsOf(words, "to");
      const args = given({
        text: await spokenText(words, io),
        default: textOf(words, "default"),
        id: textOf(words, "id"),
        tier: numberOf(words, "tier"),
        beats: numberOf(words, "beats"),
        deadline,
        to: to.length === 0 ? undefined : to,
      });
      return told<Asked>(await ask("ask", args), ({ question: question_id, id }) =>
        askedWords({ question_id, id }, deadline),
      );
    },
  },
  {
    path: ["answer"],
    usage: "sworn answer <question> [text…] [--file FILE] [--project]",
    about: "answer a question that names you as one who may",
    example: "sworn answer q-port 8080",
    options: { file: text, project: flag },
    run: async ({ rest: [question, ...rest], values }, ask, io) => {
      if (question === undefined) throw new Misused("expected a question, as sworn state shows it");
      const said = await spokenText({ rest, values }, io);
      const args = { question, text: said, scope: scopeOf({ rest, values }) };
      return told<{ question: string; id: string }>(
        await ask("answer", args),
        ({ question: answered, id }) => `Answered ${answered} (${id}).`,
      );
    },
  },
  {
    path: ["fact", "add"],
    usage: "sworn fact add [text…] --title TITLE [--file FILE]",
    about: "suggest something that is held to be so; whoever leads decides",
    example: "sworn fact add 'The samples lie in test/data.' --title 'Test data'",
    options: { title: text, file: text },
    run: async (words, ask, io) => {
      const args = given({ title: textOf(words, "title"), text: await spokenText(words, io) });
      const outcome = await ask("facts.propose", args);
      return told<Said>(outcome, (said) => `Said the fact ${said.id} on ${busWords(said)}.`);
    },
  },
  {
    path: ["fact", "ls"],
    usage: "sworn fact ls [--project]",
    about: "list facts, and what agents suggest as such",
    example: "sworn fact ls --project",
    options: { project: flag },
    run: async (words, ask) => {
      type Facts = { facts: ToldFact[]; suggested: ToldFact[] };
      return told<Facts>(
        await ask("facts.read", { scope: scopeOf(words) }),
        ({ facts, suggested }) => factWords(facts, suggested),
      );
    },
  },
  {
    path: ["state"],
    usage: "sworn state",
    about: "show where the task stands",
    example: "sworn state",
    options: {},
    run: async (_, ask) =>
      told<{ markdown: string; state: ToldState | null }>(
        await ask("state.read", {}),
        ({ markdown, state }) => (state === null ? markdown : stateWords(state).join("\n")),
      ),
  },
];

/** `MSG-3`, or `MSG-3:answers`; without a kind it is a reply. */
function parentOf(word: string): object {
  const [id = "", kind = "reply"] = word.split(":", 2);
  return { id, kind };
}

function pairOf(word: string): [string, string] {
  const at = word.indexOf("=");
  if (at < 1) throw new Misused(`expected name=value for --meta, found ${JSON.stringify(word)}`);
  return [word.slice(0, at), word.slice(at + 1)];
}

function numberOf(words: InsideWords, name: string): number | undefined {
  const given = textOf(words, name);
  if (given === undefined) return undefined;
  if (/^\d{1,15}$/.test(given)) return Number(given);
  throw new Misused(`expected a whole number for --${name}, found ${JSON.stringify(given)}`);
}

function momentOf(word: string | undefined): string | undefined {
  const [, count, unit] = /^([1-9]\d{0,3})([mh])$/.exec(word ?? "") ?? [];
  if (count !== undefined) return toMoment(Number(count) * (unit === "h" ? 60 : 1), Date.now());
  if (word === undefined || !Number.isNaN(Date.parse(word))) return toMoment(word, Date.now());
  throw new Misused(`expected a moment in UTC or a time such as 2h for --deadline, found ${word}`);
}
