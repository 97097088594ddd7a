import { SwornError } from "../../base/index.ts";
import { type Environment, Repository } from "../../repo/index.ts";
import { reapFolders } from "../../run/index.ts";
import type { SealedScene } from "../../run/proof/index.ts";
import { BwrapEngine } from "../../sandbox/index.ts";
import { isLockfile, isVendored } from "../../scan/kind/index.ts";
import type { WeakenedTest } from "../../scan/weaken/index.ts";
import type { CiCheck, CiClaim, CiReport, CiWeakened } from "../../schema/ci-report.ts";
import { Limits } from "../../schema/execution.ts";
import type { Observation } from "../../schema/observation.ts";
import type { SourceTree } from "../../verify/citation/index.ts";
import { changedBetween } from "../change/changed-between.ts";
import { moreSums, silencedTests } from "../change/silenced-tests.ts";
import { withSourceTrees } from "../change/source-tree.ts";
import { weakenedBetween } from "../change/weakened-between.ts";
import { findExecEnvironment } from "../exec/exec-environment.ts";
import type { Place } from "../place.ts";
import { findAllTests } from "../work/test-gate.ts";
import { type Declared, declaredChecks } from "./declared-checks.ts";
import { type AskedSides, findSides, type Sides } from "./find-sides.ts";
import { installer } from "./installed-run.ts";
import { inlineLoss } from "./judge-change-of-tests.ts";
import { judgeDescription, type Known } from "./judge-description.ts";
import { type OldTests, withOldTests } from "./old-tests.ts";
import { type CheckScene, lacksProgram, runCheck, SAME } from "./run-check.ts";
import { testFiles } from "./test-files.ts";
import { type TestChange, whatRunsShow } from "./what-runs-show.ts";

const SECONDS = 900;
const LISTED_MAX = 1_000;
/** Programs of a project that start its tests. */
const STARTER = /(?:^|\/)(?:gradlew|mvnw)(?:\.\w{3})?$|(?:^|\/)(?:gradle\/wrapper|\.mvn)\//;
const NO_CHANGE: TestChange = {
  ...{ isWeakened: false, isSetup: false, isOpen: false, silenced: [] },
  unclear: undefined,
};

/** A pull request that is to be judged. */
export interface CiRequest {
  /** A folder of a clone that has both sides. */
  readonly folder: string;
  readonly sides: AskedSides;
  /** Its number, where it is known. */
  readonly number: number | undefined;
  /** What its author says of it; undefined when nobody handed that in. */
  readonly body: string | undefined;
  readonly env: Environment;
  readonly home: string;
  readonly placeFor: (root: string) => Place;
  readonly signal: AbortSignal;
  readonly onStep: (words: string) => void;
}

/**
 * Judges a pull request: the checks that the branch it goes into declares, on base, on head, and on head
 * with the tests of base; what it takes away from the tests; what its description says.
 *
 * @throws SwornError when a side cannot be found or read, or there is no sandbox.
 */
export async function judgeRequest(request: CiRequest): Promise<CiReport> {
  const { folder, env, signal, body } = request;
  const repository = await Repository.open(folder, { env, signal });
  try {
    const sides = await findSides(repository, request.sides);
    const declared = await declaredChecks(repository, sides);
    const weakened = await weakenedBetween(repository, sides.base, sides.head);
    // What another kind of check names is what it looks at, and no script that runs tests.
    const commands = declared.checks.filter(({ isTests }) => isTests).map(({ argv }) => argv);
    const changed = await changedBetween(repository, sides.base, sides.head);
    const started = commands.map((argv) => ({ argv, folder: "" }));
    const files = await testFiles(repository, sides.base, { commands: started, weakened, changed });
    const old = await withOldTests(repository, sides, commands, files);
    const isWeakened = weakened.some(takesAway) || (old?.isTestGone ?? false);
    const scene = await openScene(repository, sides, declared, request);
    const known = { changed, weakened, isWeakened, files };
    const replaced = weakened
      .filter(({ kind }) => kind === "replaced")
      .map(({ message }) => message);
    const { checks, claims } = await withSourceTrees(
      repository,
      [sides.head, sides.base],
      async (trees) => {
        const unclear = unclearIn(old) ?? (await inlineLoss({ trees, changed, files }));
        const isOpen = changed.some(({ path }) => files.mayBe(path) !== undefined);
        const tests = { isWeakened, unclear, isOpen, silenced: replaced };
        const checks = await runChecks(declared, { sides, old, scene, tests, request });
        const claims = body === undefined ? [] : await claimsIn(body, trees, { ...known, checks });
        return { checks, claims };
      },
    );
    return {
      ...{ v: 1, kind: "ci", status: statusOf(declared, checks, claims) },
      ...{ request: request.number ?? null, base: sides.base, head: sides.head },
      judge: {
        ...{ commit: sides.judge, how: sides.how, declared: declared.from },
        is_changed_by_head: declared.isChangedByHead,
      },
      suggestion: declared.from === null ? await suggestion(repository, sides) : null,
      checks,
      put_back: (old?.paths ?? []).slice(0, LISTED_MAX),
      weakened: weakened.slice(0, LISTED_MAX).map(toldWeakened),
      claims,
      notes: notesOn(declared, { changed, checks }, request),
      posted: null,
    };
  } finally {
    repository.close();
  }
}

/** A rewrite demands as much as before; whether that is right is seen with the tests of base. */
function takesAway({ severity, isRewrite }: WeakenedTest): boolean {
  return severity === "weakened" && !isRewrite;
}

function toldWeakened(test: WeakenedTest): CiWeakened {
  const { severity, kind, path, line = null, side, isRewrite, message } = test;
  return { severity, kind, path, line, side, is_rewrite: isRewrite ?? false, message };
}

function statusOf(
  { from }: Declared,
  checks: readonly CiCheck[],
  claims: readonly CiClaim[],
): CiReport["status"] {
  const isBad =
    checks.some(({ status }) => status === "fail") ||
    claims.some(({ verdict }) => verdict === "refuted");
  if (isBad) return "fail";
  return from === null ? "undeclared" : "pass";
}

async function openScene(
  repository: Repository,
  { base }: Sides,
  { settings, checks }: Declared,
  request: CiRequest,
): Promise<CheckScene> {
  const { env, home, signal, onStep } = request;
  const place = request.placeFor(repository.root);
  const engine = new BwrapEngine();
  const [refusal] = checks.length === 0 ? [] : await engine.examine();
  if (refusal !== undefined) {
    throw new SwornError("SANDBOX_REFUSED", `no check can be run sealed off: ${refusal.reason}`);
  }
  reapFolders(place.clock());
  const { root } = await findExecEnvironment("host", "bwrap", place.state);
  const seconds = settings.seconds ?? SECONDS;
  const limits = Limits.parse({ step_seconds: seconds, job_seconds: seconds });
  const sealed: SealedScene = { repository, engine, root, env, limits, signal };
  const shared = { repository, env, home, place, seconds, signal, onStep };
  return { sealed, base, installed: installer({ ...shared, isAsked: settings.install }) };
}

async function runChecks(
  { checks }: Declared,
  about: {
    readonly sides: Sides;
    readonly old: OldTests | undefined;
    readonly scene: CheckScene;
    readonly tests: Omit<TestChange, "isSetup">;
    readonly request: CiRequest;
  },
): Promise<CiCheck[]> {
  const { sides, old, scene, tests, request } = about;
  const found: CiCheck[] = [];
  for (const check of checks) {
    const on = (where: string, commit: string) => {
      request.signal.throwIfAborted();
      request.onStep(`${check.name} on ${where}`);
      return runCheck(check, commit, scene);
    };
    const base = await on("base", sides.base);
    const head = await on("head", sides.head);
    const again = old && (await on("head with the tests of base", old.commit));
    const runs = { base: base.run, head: head.run, old_tests: again?.run ?? SAME };
    const { name, argv, isTests } = check;
    const before = { commit: sides.base, printed: base.printed };
    const after = { commit: old?.commit ?? sides.head, printed: (again ?? head).printed };
    const { repository } = scene.sealed;
    const isAsked = isTests && runs.head.state === "pass" && (again ?? head).run.state === "pass";
    const two = { before, after, what: "change" };
    const unseen = isAsked ? [...(await silencedTests(repository, two)), ...moreSums(two)] : [];
    const silenced = [...tests.silenced, ...unseen];
    // What is no test at all loses nothing by what is done to tests.
    const change = isTests ? { ...tests, silenced, isSetup: old?.isSetup ?? false } : NO_CHANGE;
    const shown = whatRunsShow(runs, change);
    found.push({ name, argv: [...argv], is_tests: isTests, ...shown, ...runs });
  }
  return found;
}

function unclearIn(old: OldTests | undefined): string | undefined {
  if (old?.unclear === undefined) return undefined;
  return `${old.unclear} was put back, and may be what they test`;
}

async function claimsIn(
  body: string,
  trees: readonly SourceTree[],
  known: Omit<Known, "trees" | "paths">,
): Promise<CiClaim[]> {
  const paths = new Set(await trees[0]?.paths());
  return judgeDescription(body, { ...known, trees, paths });
}

async function suggestion(repository: Repository, { judge }: Sides): Promise<string[] | null> {
  const found = await findAllTests(repository, judge);
  return found === undefined ? null : [...found];
}

/** Whoever has a program in a home folder finds it in a shell, and not in here. */
const PROGRAMS =
  "a check finds the programs in this machine's /usr and the project's node_modules, and nothing of a home folder or a virtual environment; install what is missing for the whole machine";

function notesOn(
  { isChangedByHead, from }: Declared,
  {
    changed,
    checks,
  }: {
    readonly changed: Observation["changed"];
    readonly checks: readonly CiCheck[];
  },
  { body }: CiRequest,
): string[] {
  const runner = changed.find(({ path }) => mayBeRunner(path))?.path;
  return [
    ...(isChangedByHead
      ? ["the change has another sworn.yaml; that of the branch it goes into counted"]
      : []),
    ...(runner === undefined
      ? []
      : [`the change has another ${runner}: what runs the tests may be another program`]),
    ...(checks.some(({ head }) => lacksProgram(head)) ? [PROGRAMS] : []),
    ...(from === null ? ["no check was run: sworn.yaml of that branch declares none"] : []),
    ...(body === undefined ? ["no description was handed in; --body takes one"] : []),
  ];
}

/** Whether it pins what runs the tests, starts them, or is somebody else's code, as a runner is. */
function mayBeRunner(path: string): boolean {
  return isLockfile(path) || isVendored(path) !== undefined || STARTER.test(path);
}
