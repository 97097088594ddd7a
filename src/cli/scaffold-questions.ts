import { SwornError } from "../base/index.ts";
import { SURFACE_QUESTIONS } from "../plan/planner/index.ts";
import {
  BEHAVIOUR,
  type Expected,
  earlier,
  numberWithin,
  oneOf,
  PATH,
  POINTER,
  URL_PATH,
  YES_OR_NO,
} from "./expected-answers.ts";

/** Puts one question to whoever answers; undefined when nobody does any more. */
export type Asker = (question: string, expected?: Expected) => Promise<string | undefined>;

type Given = Readonly<Record<string, unknown>>;

const TYPES = ["CODE", "CONFIG", "INFRA", "DOCS"] as const;

/**
 * Asks what a file of answers does not say: what is wanted, scope, the places where requests are thin, and the
 * subtasks with what shows that each is done. An empty line leaves a place of the scan open.
 */
export async function askScaffold(given: Given, ask: Asker): Promise<Given> {
  const request = given["request"] ?? (await needed(ask, "What is wanted, in a sentence?"));
  const scope = given["scope"] ?? {
    in: listOf(await ask("What is in scope? Several with a semicolon between them.")),
    out: listOf(await ask("What is out of scope, and why?")),
  };
  const edges: Record<string, unknown> = { ...(given["edge_cases"] as Given | undefined) };
  const surface: Record<string, unknown> = {};
  for (const { area, question } of SURFACE_QUESTIONS) {
    const name = area.toLowerCase();
    const isEdge = !["constraints", "integration", "success"].includes(name);
    const known = isEdge ? edges[name] : given[name];
    const answer = known ?? (await ask(`${area}: ${question}`)) ?? "";
    (isEdge ? edges : surface)[name] = answer;
  }
  const never =
    given["never"] ?? (await needed(ask, "What must the work NEVER do, and because of what?"));
  const subtasks = given["subtasks"] ?? (await askSubtasks(ask));
  return { ...given, request, scope, ...surface, edge_cases: edges, never, subtasks };
}

async function askSubtasks(ask: Asker): Promise<unknown[]> {
  const subtasks: unknown[] = [
    await askSubtask(ask, 0, await needed(ask, "Subtask ST-01, its name:")),
  ];
  for (;;) {
    const id = idOf(subtasks.length);
    const name = await ask(`Subtask ${id}, its name (empty when there is none):`);
    if (name === undefined || name.trim() === "") return subtasks;
    subtasks.push(await askSubtask(ask, subtasks.length, name));
  }
}

async function askSubtask(ask: Asker, at: number, name: string): Promise<unknown> {
  const said = (await needed(ask, `Its type, ${TYPES.join(", ")}:`, oneOf(TYPES))).toUpperCase();
  const type = TYPES.find((one) => one === said);
  if (type === undefined) {
    throw new SwornError(
      "INPUT_INVALID",
      `expected ${TYPES.join(", ")}, found ${JSON.stringify(said)}`,
    );
  }
  const instruction = await needed(ask, "What is its worker to do?");
  const upstream = await askUpstream(ask, at);
  const proof = await PROOF_QUESTIONS[type](ask);
  const check = await needed(ask, "What is to be seen then? GIVEN … WHEN … THEN …", BEHAVIOUR);
  const shown = type === "CODE" ? await askCovered(ask, proof, check) : proof;
  const evidence = await ask(
    "Which file shows that no existing system does it? (empty: nobody looked)",
  );
  return {
    ...{ type, name, instruction, depends_on: upstream, checks: [check] },
    needs: Object.fromEntries(upstream.map((id) => [id, ["summary"]])),
    ...shown,
    ...(evidence?.trim() ? { existing: { verdict: "None", evidence: evidence.trim() } } : {}),
  };
}

async function askUpstream(ask: Asker, at: number): Promise<string[]> {
  if (at === 0) return [];
  const known = Array.from({ length: at }, (_, before) => idOf(before));
  return listOf(await ask("Which earlier subtasks does it need? (ST-01; …)", earlier(known)));
}

/** What the author's test shows needs no judge. */
async function askCovered(ask: Asker, proof: Record<string, unknown>, check: string) {
  const said = await ask("Does that test show it? (yes; empty: a judge is asked)", YES_OR_NO);
  if (!/^y(?:es)?$/i.test(said?.trim() ?? "")) return proof;
  return { ...proof, test: { ...(proof["test"] as object), covers: [check] } };
}

const PROOF_QUESTIONS: Readonly<
  Record<(typeof TYPES)[number], (ask: Asker) => Promise<Record<string, unknown>>>
> = {
  CODE: async (ask) => {
    const name = await needed(ask, "The name of the test that fails today:");
    const file = (await ask("The test's file (empty when its name is enough):", PATH))?.trim();
    const command = wordsOf(await ask("What runs it? (empty: as the project runs its tests)"));
    const where = file ? { file } : {};
    return { test: { name, ...where, ...(command.length === 0 ? {} : { command }) } };
  },
  CONFIG: async (ask) => ({
    file: await needed(ask, "The file:", PATH),
    field: await needed(ask, "The field in it, as a pointer (/server/port):", POINTER),
    value: jsonOf(await needed(ask, "Its value:")),
  }),
  INFRA: async (ask) => ({
    start: wordsOf(await needed(ask, "What starts the service?")),
    port: Number(await needed(ask, "Its port:", numberWithin(1, 65_535))),
    path: await needed(ask, "The path that is asked for (/health):", URL_PATH),
    status: Number(await needed(ask, "The status that it answers with:", numberWithin(100, 599))),
  }),
  DOCS: async (ask) => ({
    file: await needed(ask, "The document:", PATH),
    sections: listOf(await needed(ask, "Its sections in order, with a semicolon between them:")),
  }),
};

/** @throws SwornError `INPUT_INVALID` when the input ends before it is answered. */
async function needed(ask: Asker, question: string, expected?: Expected): Promise<string> {
  for (let asked = question; ; asked = `This needs an answer. ${question}`) {
    const answer = await ask(asked, expected);
    if (answer === undefined) {
      throw new SwornError(
        "INPUT_INVALID",
        `no answer to ${JSON.stringify(question)}: the input has ended`,
      );
    }
    if (answer.trim() !== "") return answer.trim();
  }
}

const idOf = (at: number): string => `ST-${String(at + 1).padStart(2, "0")}`;

function listOf(text: string | undefined): string[] {
  return (text ?? "")
    .split(";")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

function wordsOf(text: string | undefined): string[] {
  return (text ?? "").split(/\s+/).filter((word) => word !== "");
}

/** A value as JSON has it; what is no JSON is a text. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Nobody types quotes around a word.
    return text;
  }
}
