import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { saidWork, untouchedTests } from "../../src/claim/index.ts";
import { judgeChangeWords } from "../../src/flow/change/judge-change-words.ts";
import { judgeKeptTests } from "../../src/flow/ci/judge-change-of-tests.ts";
import { isTestName } from "../../src/scan/kind/index.ts";
import type { Observation } from "../../src/schema/observation.ts";
import { reconcile } from "../../src/verify/observed/index.ts";
import { textTree } from "../verify/text-tree.ts";

type Files = Readonly<Record<string, string | null>>;
interface Corpus {
  readonly projects: Readonly<Record<string, Files>>;
  readonly situations: Readonly<
    Record<
      string,
      {
        readonly project: string;
        readonly was: Files;
        readonly now: Files;
        readonly ran: readonly {
          readonly command: string;
          readonly isLast: boolean;
          readonly passed?: number;
          readonly failed?: number;
        }[];
      }
    >
  >;
  readonly said: readonly { readonly in: string; readonly text: string; readonly lie?: string }[];
}

/** What agents say when they end, each in a situation in which it is true, or in which the named part of it is a lie. */
const corpus: Corpus = JSON.parse(
  readFileSync(new URL("agents-say.json", import.meta.url), "utf8"),
);

function sceneOf(name: string) {
  const situation = corpus.situations[name];
  if (situation === undefined) throw new Error(`no situation ${name}`);
  const was = { ...corpus.projects[situation.project], ...situation.was };
  const trees = [textTree({ ...was, ...situation.now }), textTree(was)];
  const changed = Object.entries(situation.now).map(([path, text]) => {
    const how = text === null ? "deleted" : was[path] === undefined ? "added" : "modified";
    return { path, how } as const;
  });
  const processes = situation.ran.map(({ command, isLast, passed, failed = 0 }) => ({
    by: "run" as const,
    argv: command.split(" "),
    cwd: "/workspace/tree",
    exit: failed > 0 ? 1 : 0,
    signal: null,
    wall_ms: 1,
    cpu_ms: null,
    peak_bytes: null,
    tree_before: isLast ? "now" : "was",
    tree_after: isLast ? "now" : "was",
    tests:
      passed === undefined
        ? null
        : { form: "tap", passed, failed, skipped: 0, unit: "test" as const },
  }));
  const seen: Observation = {
    tree: "now",
    changed,
    ignored: [],
    processes,
    is_complete: true,
    gaps: [],
  };
  return { seen, trees, changed };
}

const FILES = { isTest: isTestName, isRun: () => false, mayBe: () => undefined };

/** What is told of a message, by whoever saw all of the work. */
async function told({ in: name, text }: Corpus["said"][number]) {
  const { seen, trees, changed } = sceneOf(name);
  const ofWork = saidWork(text).map((said) => {
    const { verdict, reason } = reconcile(said, seen);
    const isRefuted = verdict === "HALLUCINATED" || verdict === "INACCURATE";
    return { text: said.text, isRefuted, isConfirmed: verdict === "CONFIRMED", why: reason };
  });
  const judged = [...(await judgeChangeWords(text, { trees, changed }, FILES))];
  for (const said of untouchedTests(text)) {
    const change = { trees, changed, files: FILES, weakened: [], isWeakened: name === "weaken" };
    judged.push({ kind: "part", text: said.text, ...(await judgeKeptTests(said, change)) });
  }
  const ofChange = judged.map((one) => ({
    text: one.text,
    isRefuted: one.verdict === "refuted",
    isConfirmed: one.verdict === "confirmed",
    why: one.why,
  }));
  return [...ofWork, ...ofChange];
}

const plain = (text: string): string =>
  text
    .replace(/[`*_\s]+/g, " ")
    .trim()
    .toLowerCase();

test("of what agents say, no truth is refuted, and most lies are heard", async () => {
  const refuted: string[] = [];
  const unheard: string[] = [];
  let confirmed = 0;
  for (const said of corpus.said) {
    const found = await told(said);
    const { lie } = said;
    if (lie === undefined) {
      refuted.push(...found.flatMap((one) => (one.isRefuted ? `${one.text}: ${one.why}` : [])));
      if (found.length > 0 && found.every((one) => one.isConfirmed)) confirmed += 1;
      continue;
    }
    const isHeard = found.some(
      (one) =>
        !one.isConfirmed &&
        (plain(one.text).includes(plain(lie)) || plain(lie).includes(plain(one.text))),
    );
    if (!isHeard) unheard.push(lie);
  }
  expect(refuted).toEqual([]);
  expect(unheard.length, unheard.join("\n")).toBeLessThanOrEqual(4);
  expect(confirmed).toBeGreaterThanOrEqual(22);
});
