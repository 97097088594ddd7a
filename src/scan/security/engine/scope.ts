import type { Definition } from "../program.ts";
import { either, UNKNOWN, type Value } from "./value.ts";

/** What is known of a function over all rounds. */
export interface FunctionState {
  readonly definition: Definition;
  /** Whether code outside of this file can call it. */
  boundary: boolean;
  returns: Value;
  /** Whether it throws in any case, so that nothing behind a call of it is run. */
  alwaysThrows: boolean;
  /** Values per call and parameter, as they were given in this file. */
  calls: (readonly Value[])[];
  /** The functions of this file that it calls. */
  callees: Set<Definition>;
  /** What its body calls a parameter with, by the position of the parameter: a callback, `resolve`. */
  handed: Map<number, readonly Value[]>;
  /** Variables at the end of the last round, for uses that stand before the definition. */
  finals: ReadonlyMap<string, Value>;
}

/** Variables at a point of the code. Branches fork it and join what they changed. */
export class Scope {
  readonly #values = new Map<string, Value>();
  readonly #declared = new Set<string>();
  readonly #parent: Scope | undefined;
  /** Set on the outermost scope of a function only. */
  readonly #state: FunctionState | undefined;

  constructor(parent: Scope | undefined, state?: FunctionState) {
    this.#parent = parent;
    this.#state = state;
  }

  get(name: string): Value | undefined {
    let isInside = true;
    for (let scope: Scope | undefined = this; scope !== undefined; scope = scope.#parent) {
      const value = scope.#values.get(name);
      // What was declared and not yet given a value is for an inner function what it will be.
      const isOpen = value === undefined || (value === UNKNOWN && !isInside);
      const known = isOpen ? (scope.#finalOf(name, isInside) ?? value) : value;
      if (known !== undefined) return known;
      isInside &&= scope.#state === undefined;
    }
    return undefined;
  }

  /**
   * What a variable was at the end of the last round. A member of a variable of the very function
   * that asks is not yet what it will be: `a.b = f(a.b)` reads the old one.
   */
  #finalOf(name: string, isInside: boolean): Value | undefined {
    if (this.#state === undefined) return undefined;
    const root = isInside ? /^[^.[]+(?=[.[])/.exec(name)?.[0] : undefined;
    if (root !== undefined && this.#declared.has(root)) return undefined;
    return this.#state.finals.get(name);
  }

  /** Whether the variable is one of this very function, not of its surroundings. */
  #isOwn(name: string): boolean {
    for (let scope: Scope | undefined = this; scope !== undefined; scope = scope.#parent) {
      if (scope.#declared.has(name)) return true;
      if (scope.#state !== undefined) return false;
    }
    return false;
  }

  declare(name: string, value: Value): void {
    this.#declared.add(name);
    this.#values.set(name, value);
  }

  set(name: string, value: Value): void {
    this.#values.set(name, value);
  }

  /** Assigns to a variable of a surrounding function where there is one, keeping what it may be. */
  assign(name: string, value: Value): void {
    if (!this.#isOwn(name)) {
      let scope = this.#function();
      if (scope !== undefined) scope = scope.#parent;
      for (; scope !== undefined; scope = scope.#parent) {
        const known = scope.#values.get(name);
        if (known !== undefined) scope.#values.set(name, either(known, value));
      }
    }
    this.#values.set(name, value);
  }

  fork(): Scope {
    return new Scope(this);
  }

  /** Takes over what one or both branches changed; a branch that left changes nothing. */
  join(branches: readonly Scope[]): void {
    const names = new Set(branches.flatMap((branch) => [...branch.#values.keys()]));
    const joined = [...names].map((name): [string, Value] => {
      const values = branches.map((branch) => branch.#values.get(name) ?? this.get(name));
      const known = values.map((value) => value ?? this.#partOf(name));
      return [name, known.reduce((a, b) => either(a, b))];
    });
    for (const [name, value] of joined) this.#values.set(name, value);
  }

  /** A member that only one branch looked at is in the others what its object has. */
  #partOf(path: string): Value {
    const cut = Math.max(path.lastIndexOf("."), path.lastIndexOf("["));
    if (cut <= 0) return UNKNOWN;
    const object = this.get(path.slice(0, cut));
    return object === undefined ? this.#partOf(path.slice(0, cut)) : { flows: object.flows };
  }

  /** Adds what another way out of a loop brought along; checks made on that way do not count. */
  joinExit(exit: Scope): void {
    for (
      let scope: Scope | undefined = exit;
      scope !== undefined && scope !== this;
      scope = scope.#parent
    )
      for (const [name, value] of scope.#values) {
        const known = this.get(name);
        const isNews = value.flows.some(
          ({ origin }) => !known?.flows.some((one) => one.origin === origin),
        );
        if (known !== undefined && isNews) this.#values.set(name, either(known, value));
      }
  }

  /** All variables of this function, nearest first, for a check that concerns several of them. */
  *visible(): Iterable<[string, Value]> {
    const seen = new Set<string>();
    for (let scope: Scope | undefined = this; scope !== undefined; scope = scope.#parent) {
      for (const [name, value] of scope.#values) {
        if (!seen.has(name)) yield [name, value];
        seen.add(name);
      }
      if (scope.#state !== undefined) return;
    }
  }

  finish(): ReadonlyMap<string, Value> {
    return new Map(this.#values);
  }

  #function(): Scope | undefined {
    let scope: Scope | undefined = this;
    while (scope !== undefined && scope.#state === undefined) scope = scope.#parent;
    return scope;
  }
}
