import { readFileSync } from "node:fs";
import { checkAnswer, type ToldReport } from "./check-answer.ts";
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
import { relayMcp } from "./run-connection.ts";

const FILE_BYTES_MAX = 1 << 20;
const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;

/** The text that is meant: the words themselves, or a file of the sandbox. */
function saidText(words: InsideWords): string {
  const file = textOf(words, "file");
  if (file === undefined) return words.rest.join(" ");
  if (words.rest.length > 0) throw new Misused("expected a text or --file, found both");
  return readReport(file);
}

function readReport(path: string): string {
  const bytes = readFileSync(path);
  if (bytes.length <= FILE_BYTES_MAX) return bytes.toString("utf8");
  throw new Misused(`${path} has ${bytes.length} bytes, expected at most ${FILE_BYTES_MAX}`);
}

function parentOf(word: string): object {
  const [id = "", kind = "reply"] = word.split(":", 2);
  return { id, kind };
}

/** What can be said and asked from inside a run, in the words of the command line outside. */
export const INSIDE_COMMANDS: readonly InsideCommand[] = [
  {
    path: ["bus", "post"],
    usage: "sworn bus post [--kind KIND] [--parent ID[:KIND]] [--project] [--file FILE] [text…]",
    about: "say something on the task's bus, or the project's",
    example: "sworn bus post --kind PROGRESS 'The parser reads all samples.'",
    options: {
      kind: text,
      parent: { ...text, multiple: true },
      issue: text,
      file: text,
      project: flag,
    },
    run: async (words, ask) => {
      const args = given({
        text: saidText(words),
        kind: textOf(words, "kind"),
        scope: scopeOf(words),
        parents: textsOf(words, "parent").map(parentOf),
        issue_id: textOf(words, "issue"),
      });
      return told<{ id: string }>(await ask("bus.post", args), ({ id }) => `Posted ${id}`);
    },
  },
  {
    path: ["bus", "read"],
    usage: "sworn bus read [--since ID] [--project] [--follow]",
    about: "read what was said",
    example: "sworn bus read --since MSG-12",
    options: { since: text, project: flag, follow: flag },
    run: readBus,
  },
  {
    path: ["ask"],
    usage: "sworn ask --default ANSWER <question…> | sworn ask --question ID",
    about: "ask the people, with the answer that holds meanwhile; or look an answer up",
    example: "sworn ask --default 'Keep both' 'Which of the two parsers stays?'",
    options: { default: text, question: text },
    run: async (words, ask) => {
      const question = textOf(words, "question");
      const said = words.rest.length === 0 ? undefined : words.rest.join(" ");
      const args = given({ text: said, default: textOf(words, "default"), question });
      type Asked = { question: string; answer: string | null; by: string | null };
      return told<Asked>(await ask("ask", args), ({ question: id, answer, by }) => {
        if (answer !== null) return `${by}: ${answer}`;
        return question === undefined ? `Asked as ${id}` : `${id} is not answered yet`;
      });
    },
  },
  {
    path: ["check"],
    usage: "sworn check <report…>",
    about: "hold a report's findings against the source at the run's commit",
    example: "sworn check review.md",
    options: {},
    run: async ({ rest }, ask) => {
      if (rest.length === 0) throw new Misused("expected a report");
      const reports: ToldReport[] = [];
      for (const path of rest) {
        const outcome = await ask("check", { report: readReport(path) });
        if (!("ok" in outcome)) return outcome;
        reports.push({ ...(outcome.ok as ToldReport), path });
      }
      return checkAnswer(reports);
    },
  },
  {
    path: ["fact", "add"],
    usage: "sworn fact add --title TITLE [--file FILE] [text…]",
    about: "propose a fact; the lead decides whether the project keeps it",
    example: "sworn fact add --title 'Test data' 'The samples lie in test/data.'",
    options: { title: text, file: text },
    run: async (words, ask) => {
      const args = given({ title: textOf(words, "title"), text: saidText(words) });
      return told<{ id: string }>(await ask("facts.propose", args), ({ id }) => `Proposed ${id}`);
    },
  },
  {
    path: ["fact", "ls"],
    usage: "sworn fact ls [--project]",
    about: "list what is known",
    example: "sworn fact ls --project",
    options: { project: flag },
    run: async (words, ask) => {
      type Facts = { facts: { id: string; title: string; text: string }[] };
      return told<Facts>(await ask("facts.read", { scope: scopeOf(words) }), ({ facts }) =>
        facts.map(({ id, title, text: said }) => `${id}  ${title}\n${said}`).join("\n\n"),
      );
    },
  },
  {
    path: ["state"],
    usage: "sworn state",
    about: "say how the task stands",
    example: "sworn state",
    options: {},
    run: async (_, ask) =>
      told<{ markdown: string }>(await ask("state.read", {}), ({ markdown }) => markdown),
  },
  {
    path: ["context"],
    usage: "sworn context <selector…> [--full]",
    about: "get the project's own context",
    example: "sworn context summary decisions",
    options: { full: flag },
    run: async ({ rest, values }, ask) => {
      const args = { selectors: rest, scope: values["full"] === true ? "full" : "brief" };
      return told<{ markdown: string }>(await ask("context.get", args), ({ markdown }) => markdown);
    },
  },
  {
    path: ["vote"],
    usage: "sworn vote <artifact> --vote green|yellow|red --rationale TEXT [--evidence REF]",
    about: "vote on an artifact",
    example: "sworn vote parser --vote green --rationale 'All samples pass.'",
    options: { vote: text, rationale: text, evidence: { ...text, multiple: true } },
    run: async (words, ask) => {
      const args = given({
        artifact: words.rest.join(" "),
        vote: textOf(words, "vote"),
        rationale: textOf(words, "rationale"),
        evidence_refs: textsOf(words, "evidence"),
      });
      type Voted = { artifact: string; phase: string };
      return told<Voted>(
        await ask("review.vote", args),
        ({ artifact, phase }) => `${artifact}: ${phase}`,
      );
    },
  },
  {
    path: ["delegate"],
    usage: "sworn delegate <agent> [--file FILE] [prompt…]",
    about: "ask for a child run; its result comes as a message",
    example: "sworn delegate tester 'Write tests for src/parse.ts.'",
    options: { file: text },
    run: async ({ rest: [agent, ...rest], values }, ask) => {
      const args = given({ agent, prompt: saidText({ rest, values }) });
      return told<{ run_id: string }>(
        await ask("run.delegate", args),
        ({ run_id }) => `Started ${run_id}`,
      );
    },
  },
  {
    path: ["run", "status"],
    usage: "sworn run status <run>",
    about: "say how a child run stands",
    example: "sworn run status 20260101-1200000000-42",
    options: {},
    run: async ({ rest }, ask) => {
      type Status = { run_id: string; status: string; output: string | null };
      const outcome = await ask("run.status", given({ run_id: rest[0] }));
      return told<Status>(outcome, ({ run_id, status, output }) =>
        [`${run_id} ${status}`, ...(output === null ? [] : [output])].join("\n\n"),
      );
    },
  },
  {
    path: ["mcp"],
    usage: "sworn mcp",
    about: "speak MCP on standard input and output",
    example: "sworn mcp",
    options: {},
    run: async (_, __, io) => {
      const problem = await relayMcp(io.socket, io.input, io.output);
      return problem ?? { exit: 0, json: undefined, words: "" };
    },
  },
];
