import { checkAnswer, type ToldReport } from "./check-answer.ts";
import { given, type InsideCommand, Misused, textOf, textsOf, told } from "./inside-command.ts";
import { missingInVote, mitigationOf } from "./mitigation.ts";
import { relayMcp } from "./run-connection.ts";
import { readInput, readText, spokenText } from "./spoken-text.ts";
import { TALK_COMMANDS } from "./talk-commands.ts";

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;

/** What can be said and asked from inside a run. */
export const INSIDE_COMMANDS: readonly InsideCommand[] = [
  ...TALK_COMMANDS,
  {
    path: ["check"],
    usage: "sworn check <report… | ->",
    about: "hold a report's findings against the source at the run's commit",
    example: "sworn check review.md",
    options: {},
    run: async ({ rest }, ask, io) => {
      if (rest.length === 0) throw new Misused("expected a report");
      const reports: ToldReport[] = [];
      for (const path of rest) {
        const report = path === "-" ? await readInput(io) : readText(path);
        const outcome = await ask("check", { report });
        if (!("ok" in outcome)) return outcome;
        reports.push({ ...(outcome.ok as ToldReport), path });
      }
      return checkAnswer(reports);
    },
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
    path: ["note"],
    usage: "sworn note <text…>",
    about: "leave a note that goes with your next status",
    example: "sworn note 'The parser is done, its tests are next.'",
    options: {},
    run: async ({ rest }, ask) =>
      told<{ agent: string; note: string }>(
        await ask("status.note", given({ text: rest.join(" ") })),
        ({ agent }) => `It goes with the next status of ${agent}.`,
      ),
  },
  {
    path: ["vote"],
    usage:
      "sworn vote <completion> green|yellow|red --why TEXT --evidence REF [--scope TEXT] [--fix TEXT] [--mitigation 'ACTION; OWNER; DEADLINE']",
    about: "vote on finished work, as a critic or auditor",
    example: "sworn vote latest green --why 'All samples pass.' --evidence src/parse.ts:12",
    options: {
      why: text,
      fix: text,
      scope: { ...text, multiple: true },
      evidence: { ...text, multiple: true },
      mitigation: { ...text, multiple: true },
    },
    run: async (words, ask) => {
      const [artifact, vote, ...more] = words.rest;
      if (vote === undefined || more.length > 0) {
        throw new Misused("expected a completion, or latest, and green, yellow or red");
      }
      const args = given({
        artifact,
        vote,
        rationale: textOf(words, "why"),
        evidence_refs: textsOf(words, "evidence"),
        fix: textOf(words, "fix"),
        scope: textsOf(words, "scope"),
        mitigations: textsOf(words, "mitigation").map(readMitigation),
      });
      const missing = missingInVote(vote, textsOf(words, "mitigation"), textOf(words, "fix"));
      if (missing !== undefined) throw new Misused(missing);
      type Voted = { artifact: string; phase: string };
      return told<Voted>(
        await ask("review.vote", args),
        ({ artifact: voted, phase }) => `${voted}: ${phase}`,
      );
    },
  },
  {
    path: ["delegate"],
    usage: "sworn delegate <agent> [--file FILE] [prompt…]",
    about: "ask for a child run; its result comes as a message",
    example: "sworn delegate tester 'Write tests for src/parse.ts.'",
    options: { file: text },
    run: async ({ rest: [agent, ...rest], values }, ask, io) => {
      const args = given({ agent, prompt: await spokenText({ rest, values }, io) });
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
    path: ["hook", "run"],
    usage: "sworn hook run <kind>",
    about: "nothing: what is said in a run is held against it when it ends",
    example: "sworn hook run claude",
    options: {},
    // An agent would take a complaint about an unknown command for a reason not to stop.
    run: async () => ({ exit: 0, json: undefined, words: "" }),
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

function readMitigation(written: string) {
  const read = mitigationOf(written);
  if (read !== undefined) return read;
  const found = `found "${written.slice(0, 200)}"`;
  throw new Misused(`expected --mitigation "action; owner; deadline", ${found}`);
}
