import { join } from "node:path";
import type { AskedSides } from "../../../src/flow/ci/find-sides.ts";
import { judgeRequest } from "../../../src/flow/ci/judge-request.ts";
import { Place } from "../../../src/flow/place.ts";
import { CiReport } from "../../../src/schema/ci-report.ts";
import { GitFolder } from "../../repo/git-folder.ts";

export const CHECKS = "ci: { checks: [{ name: tests, argv: [npm, test] }] }\n";
export const PACKAGE = { name: "p", type: "module", scripts: { test: "node --test" } };
export const ADD = "export const add = (a, b) => a + b;\n";
/** Sums that are right only where none is below zero. */
export const WRONG_ADD = "export const add = (a, b) => Math.abs(a + b);\n";

/** A file of tests in the form of node's own runner. */
export function tests(cases: Readonly<Record<string, string>>, from = "../src/add.js"): string {
  return [
    'import assert from "node:assert";',
    'import test from "node:test";',
    `import { add } from "${from}";`,
    ...Object.entries(cases).map(([name, code]) => `test("${name}", () => ${code});`),
    "",
  ].join("\n");
}

export const ADDS = "assert.equal(add(1, 2), 3)";
export const BELOW = "assert.equal(add(-1, -2), -3)";
export const BOTH = tests({ adds: ADDS, below: BELOW });
export const PROJECT = {
  "sworn.yaml": CHECKS,
  "package.json": JSON.stringify(PACKAGE),
  "src/add.js": ADD,
  "test/add.test.js": BOTH,
};

/** A repository with a branch `main`, and pull requests on branches of their own. */
export class RequestStage {
  readonly git = new GitFolder();

  constructor(project: Readonly<Record<string, string>> = PROJECT) {
    this.git.commit(project);
  }

  /** A change of some files, away from where main is now. */
  change(files: Readonly<Record<string, string>>, removed: readonly string[] = []): string {
    this.git.git("checkout", "--quiet", "-B", "change", "main");
    for (const path of removed) this.git.git("rm", "--quiet", "-r", path);
    const commit = this.git.commit({ ...files });
    this.git.git("checkout", "--quiet", "main");
    return commit;
  }

  async judge(head: string, body?: string): Promise<CiReport> {
    return this.#judge({ base: "main", head }, body);
  }

  /** What is judged where nobody names the branch that it goes into. */
  async judgeUnnamed(head?: string): Promise<CiReport> {
    return this.#judge({ head });
  }

  async #judge(sides: AskedSides, body?: string): Promise<CiReport> {
    const { git } = this;
    const report = await judgeRequest({
      folder: git.path,
      sides,
      number: 7,
      body,
      env: git.env,
      home: git.home,
      placeFor: (root) =>
        new Place({ store: join(root, ".sworn"), state: join(git.home, "state") }),
      signal: new AbortController().signal,
      onStep: () => {},
    });
    // What it says is in the form that is published.
    return CiReport.parse(report);
  }
}

/** The three runs of the first check in a word each. */
export function states({ checks: [check] }: CiReport): (string | undefined)[] {
  return [check?.base.state, check?.head.state, check?.old_tests.state];
}

export function verdicts({ claims }: CiReport): string[] {
  return claims.map(({ kind, verdict }) => `${kind} ${verdict}`);
}
