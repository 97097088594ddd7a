import type { Priority } from "../../../schema/finding.ts";
import type { Definition, Expression, Place, Program, Statement } from "../program.ts";
import type { CallRule, Rule } from "../rule.ts";
import type { Checks } from "./predicate.ts";
import type { FunctionState, Scope } from "./scope.ts";
import type { Proof, Value } from "./value.ts";

/** A harmful place that a value with sources was seen at; its sources are resolved later. */
export interface Hit {
  readonly rule: Rule;
  readonly at: Place;
  /** What stands there, for the words of the finding. */
  readonly what: string;
  readonly value: Value;
  /** For writes by key: the object written to must have been reached by a key as well. */
  readonly base?: Value;
  readonly also?: Place;
  readonly note?: string;
  /** It counts only where these functions lead back to the one that it stands in. */
  readonly within?: Definition;
  readonly into?: readonly Definition[];
  /** The pattern that a hit is about. */
  readonly pattern?: string;
  /** No more urgent than this, whatever the source is. */
  readonly most?: Priority;
}

/** A finding that needs no source. */
export interface PlainHit {
  readonly rule: CallRule;
  readonly at: Place;
  readonly priority: Priority;
  readonly what: string;
}

/** What the parts of the engine ask of each other. */
export interface Interpreter {
  readonly program: Program;
  /** Whether an archive module is imported anywhere in the file. */
  readonly readsArchives: boolean;
  /** Whether the file as a whole makes or keeps secrets or ids. */
  readonly isSecretFile: boolean;
  /** What functions were found to check in this round, by how deep it was asked. */
  readonly checks: Map<Definition, Checks[]>;
  /** The function whose body is being interpreted. */
  readonly current: Definition;
  /** The fields of `this` and `self`, joined over the whole file. */
  readonly fields: Map<string, Value>;
  evaluate(expression: Expression, scope: Scope): Value;
  /** What a condition shows about the variables in it; nothing where conditions call each other. */
  proofOf(test: Expression, scope: Scope): Proof;
  assign(target: Expression, value: Value, scope: Scope, declares: boolean): void;
  run(statements: readonly Statement[], scope: Scope): boolean;
  /** Interprets a function's body where it is defined, so that checks around it count. */
  enter(definition: Definition, scope: Scope): void;
  stateOf(definition: Definition): FunctionState;
  /** A method of this file by its name, when only one has it. */
  methodNamed(name: string): Definition | undefined;
  addMethod(name: string, definition: Definition): void;
  /** Everything that can be called through this value can be called from outside. */
  publish(value: Value, isExport?: boolean): void;
  report(hit: Hit): void;
  reportPlain(hit: PlainHit): void;
  /** Names around the current place: function and variable. */
  around: string;
  /** Values that the current function gives back are joined here. */
  give(value: Value): void;
  noteModule(name: string): void;
  /** A pattern that is written in this file. */
  notePattern(pattern: NonNullable<Value["pattern"]>): void;
  /** A text that a pattern meets. */
  noteMatched(pattern: NonNullable<Value["pattern"]>, text: Value): void;
}
