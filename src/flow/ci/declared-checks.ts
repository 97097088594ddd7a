import { SwornError } from "../../base/index.ts";
import type { Repository } from "../../repo/index.ts";
import { readCommitFile } from "../../run/proof/index.ts";
import type { Config } from "../../schema/config.ts";
import { CONFIG_NAME, parseConfig } from "../workflow-config.ts";
import type { Sides } from "./find-sides.ts";

/** A command that a pull request has to pass. */
export interface DeclaredCheck {
  readonly name: string;
  readonly argv: readonly string[];
  /** Whether it has to count tests. */
  readonly isTests: boolean;
}

/** What the project asks of pull requests. */
export interface Declared {
  readonly from: "ci.checks" | "work.tests" | null;
  readonly checks: readonly DeclaredCheck[];
  readonly settings: NonNullable<Config["ci"]>;
  /** Whether the change has another file of settings, which does not count. */
  readonly isChangedByHead: boolean;
}

/**
 * Reads what is to be run from the branch that the change goes into: a pull request cannot change its
 * own judge, and neither can the work tree.
 *
 * @throws SwornError `INPUT_INVALID` when that file cannot be read.
 */
export async function declaredChecks(repository: Repository, sides: Sides): Promise<Declared> {
  const file = await readCommitFile(repository, sides.judge, CONFIG_NAME);
  if (file.state === "unread") throw new SwornError("INPUT_INVALID", `at the base: ${file.why}`);
  const config = file.state === "text" ? parseConfig(file.text) : {};
  const [old, now] = await Promise.all(
    [sides.base, sides.head].map((commit) => repository.blobAt(commit, CONFIG_NAME)),
  );
  const isChangedByHead = old?.blob !== now?.blob || old?.kind !== now?.kind;
  const shared = { settings: config.ci ?? {}, isChangedByHead };
  if (config.ci?.checks !== undefined) {
    const checks = config.ci.checks.map(({ name, argv, tests }) => ({
      name,
      argv,
      isTests: tests,
    }));
    return { ...shared, from: "ci.checks", checks };
  }
  const argv = config.work?.tests;
  if (argv === undefined) return { ...shared, from: null, checks: [] };
  return { ...shared, from: "work.tests", checks: [{ name: "tests", argv, isTests: true }] };
}
