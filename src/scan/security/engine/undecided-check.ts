import type { Scope } from "./scope.ts";
import type { Proof, Value } from "./value.ts";

interface Marked {
  readonly path: string;
  readonly before: Value;
  readonly after: readonly (Value | undefined)[];
}

/**
 * What a condition marks both ways, because it is not known which answer of the check is the good
 * one. Such a check counts inside its branches, and behind them only when one of them leaves.
 */
export class UndecidedCheck {
  readonly #scope: Scope;
  readonly #branches: readonly Scope[];
  readonly #marked: readonly Marked[];

  /** To be made after the branches were marked and before they are run. */
  constructor({ yes, no }: Proof, scope: Scope, branches: readonly Scope[]) {
    this.#scope = scope;
    this.#branches = branches;
    const both = yes.filter(({ path, safe }) =>
      no.some((one) => one.path === path && (one.safe & safe) !== 0),
    );
    this.#marked = [...new Set(both.map(({ path }) => path))].flatMap((path) => {
      const before = scope.get(path);
      const after = branches.map((branch) => branch.get(path));
      return before === undefined ? [] : [{ path, before, after }];
    });
  }

  /** Nobody was sent away: variables that no branch changed are as they were before the check. */
  forget(): void {
    for (const { path, before, after } of this.#marked) {
      const isSame = this.#branches.every((branch, at) => branch.get(path) === after[at]);
      if (isSame) this.#scope.set(path, before);
    }
  }
}
