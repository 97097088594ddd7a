import { type Json, parseJson } from "../../base/index.ts";
import type { Repository } from "../../repo/index.ts";
import { isTestCode } from "../../scan/kind/index.ts";
import type { GateVerdict } from "../../schema/work.ts";
import type { ProofOutcome } from "../../schema/work-proof.ts";
import { testCounts } from "../../verify/observed/index.ts";
import { fieldsOf } from "./output-value.ts";
import type { SealedProver } from "./sealed-prover.ts";
import { silencedTests } from "./silenced-tests.ts";
import type { Seen } from "./work-parts.ts";

const PACKAGE_BYTES_MAX = 1 << 20;
const ENTRIES_MAX = 200_000;
const NPM_SETTINGS = ".npmrc";

/** What runs all tests of a project, and whether the work had a say in that. */
export interface AllTests {
  readonly argv: string[];
  readonly isChanged: boolean;
}

/**
 * Runs all tests of the project on the assembled branch, sealed off. Where none are found, or none
 * were counted, nothing is shown, and that is what it says.
 */
export async function testGate(
  seen: Seen,
  {
    prover,
    repository,
    argv,
  }: {
    readonly prover: SealedProver;
    readonly repository: Repository;
    /** What `sworn.yaml` says runs them. */
    readonly argv: readonly string[] | undefined;
  },
): Promise<Omit<GateVerdict, "gate">> {
  const tests =
    argv === undefined
      ? await findAllTests(repository, seen)
      : { argv: [...argv], isChanged: await isChangedBy(repository, seen, argv) };
  if (tests === undefined) {
    const why = "no tests were found; sworn.yaml can say how they are run, as work.tests";
    return { by: "the runtime", verdict: "unproven", reasons: [why] };
  }
  seen.onStep(`all tests: ${tests.argv.join(" ")}`);
  const proof = { kind: "command", argv: tests.argv, exit: 0 } as const;
  const runOn = async (after: string) => {
    const [outcome] = await prover.proveThese([proof], { ...seen, after, output: undefined });
    return outcome;
  };
  const outcome = await runOn(seen.after);
  const judged = judgeRun(tests, outcome);
  if (outcome === undefined || judged.verdict === "fail") return judged;
  const silenced = await silencedTests(repository, seen, outcome, () => runOn(seen.before));
  const reasons = [...judged.reasons, ...silenced];
  return silenced.length > 0 ? { ...judged, verdict: "fail", reasons } : judged;
}

function judgeRun(
  { argv, isChanged }: AllTests,
  outcome: ProofOutcome | undefined,
): Omit<GateVerdict, "gate"> {
  const command = argv.join(" ");
  const { passed = 0, failed = 0 } = testCounts(outcome?.output ?? "") ?? {};
  const doubts = [
    ...(outcome?.verdict === "pass" ? [] : [`${command}: ${outcome?.reason ?? "it did not run"}`]),
    ...(passed + failed > 0 ? [] : [`${command} counted no test`]),
    ...(isChanged ? [`what ${command} does was changed by the work`] : []),
  ];
  const isFailed = outcome?.verdict === "fail" || failed > 0;
  const verdict = doubts.length > 0 ? "unproven" : "pass";
  return {
    by: `the runtime (${command})`,
    verdict: isFailed ? "fail" : verdict,
    reasons: doubts,
  };
}

/** Whether the work changed what a command of the settings runs: a script of npm, or a file that it names. */
async function isChangedBy(
  repository: Repository,
  { before, after }: Seen,
  argv: readonly string[],
): Promise<boolean> {
  const script = scriptOf(argv);
  if (script !== undefined) {
    const [old, now] = await Promise.all(
      [before, after].map((commit) => testScripts(repository, commit, script)),
    );
    return old !== now || (await hasOtherSettings(repository, before, after));
  }
  const named = await Promise.all(
    argv.map(async (word) => {
      const path = word.replace(/^(?:\.\/)+/, "");
      const [old, now] = [
        await repository.blobAt(before, path),
        await repository.blobAt(after, path),
      ];
      return old?.blob !== now?.blob && !isTestCode(path);
    }),
  );
  return named.some(Boolean);
}

/** The script that a package manager is told to run; undefined for any other program. */
function scriptOf([program = "", ...words]: readonly string[]): string | undefined {
  if (!/(?:^|\/)(?:npm|pnpm|yarn|bun)$/.test(program)) return undefined;
  const said = words.filter((word) => !word.startsWith("-") && !/^run(?:-script)?$/.test(word));
  const [name = "test"] = said;
  return /^(?:t|tst)$/.test(name) ? "test" : name;
}

/** What runs all tests of a project by its own word, or by what its tests are called. */
export async function findAllTests(
  repository: Repository,
  { before, after }: Pick<Seen, "before" | "after">,
): Promise<AllTests | undefined> {
  const [old, now] = [
    await testScripts(repository, before, "test"),
    await testScripts(repository, after, "test"),
  ];
  if (now !== undefined) {
    const isChanged = old !== now || (await hasOtherSettings(repository, before, after));
    return { argv: ["npm", "test"], isChanged };
  }
  let count = 0;
  for await (const { path } of repository.listTree(after)) {
    count += 1;
    if (count > ENTRIES_MAX) break;
    if (!isTestCode(path) || path.includes("node_modules/")) continue;
    if (/\.[cm]?js$/.test(path)) return { argv: ["node", "--test"], isChanged: false };
    if (/\.py$/.test(path)) {
      return { argv: ["python3", "-B", "-m", "unittest", "discover"], isChanged: false };
    }
  }
  return undefined;
}

/** npm goes by these when it runs a script. */
async function hasOtherSettings(
  repository: Repository,
  before: string,
  after: string,
): Promise<boolean> {
  const [old, now] = [
    await repository.blobAt(before, NPM_SETTINGS),
    await repository.blobAt(after, NPM_SETTINGS),
  ];
  return old?.blob !== now?.blob;
}

/** The project's own word for how its tests are run: that script, and every other that npm runs with it. */
async function testScripts(
  repository: Repository,
  commit: string,
  script: string,
): Promise<string | undefined> {
  const entry = await repository.blobAt(commit, "package.json");
  if (entry === undefined || (entry.size ?? 0) > PACKAGE_BYTES_MAX) return undefined;
  const blobs = repository.openBlobs();
  try {
    const content = await blobs.read(entry.blob);
    if (content.state !== "content") return undefined;
    const scripts = fieldsOf(fieldsOf(jsonOf(content.bytes.toString("utf8"))).get("scripts"));
    return typeof scripts.get(script) === "string" ? runWith(script, scripts) : undefined;
  } finally {
    await blobs.close();
  }
}

function runWith(script: string, scripts: ReadonlyMap<string, Json>): string {
  const names = new Set([script]);
  const found: string[] = [];
  for (const name of names) {
    const run = [`pre${name}`, name, `post${name}`].map(
      (one) => `${one}: ${scripts.get(one) ?? ""}`,
    );
    found.push(...run);
    const words = run.join(" ").match(/[\w:.-]+/g) ?? [];
    for (const word of words.filter((one) => scripts.has(one))) names.add(word);
  }
  return found.join("\n");
}

function jsonOf(text: string): Json | undefined {
  try {
    return parseJson(text, PACKAGE_BYTES_MAX);
  } catch {
    // A package.json that cannot be read names no tests.
    return undefined;
  }
}
