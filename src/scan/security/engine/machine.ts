import type { Definition, Expression, Program, Statement } from "../program.ts";
import { ARCHIVE_MODULE } from "../rules/module.ts";
import { SECRET_WORD } from "../rules/weak-crypto.ts";
import { assign } from "./assign.ts";
import { proofOf } from "./check.ts";
import { evaluate } from "./evaluate.ts";
import type { Hit, Interpreter, PlainHit } from "./interpreter.ts";
import { reportPattern } from "./match.ts";
import { PatternUses } from "./pattern-uses.ts";
import type { Checks } from "./predicate.ts";
import { trace } from "./resolve.ts";
import { type FunctionState, Scope } from "./scope.ts";
import { runStatements } from "./statement.ts";
import { either, from, NO_PROOF, type Proof, UNKNOWN, type Value } from "./value.ts";

/** Later rounds know what functions give back and what stands further down in the file. */
const ROUNDS = 3;
/** Bounds the work of one file, whatever it looks like; what is left over is not looked at. */
const STEPS_MAX = 4_000_000;
const DEPTH_MAX = 60;
const HITS_MAX = 2_000;
const CALLS_MAX = 40;
const ASKED_MAX = 2;

/** Interprets a file without running it: values are followed, not computed. */
export class Machine implements Interpreter {
  readonly program: Program;
  readonly fields = new Map<string, Value>();
  readonly checks = new Map<Definition, Checks[]>();
  readonly isSecretFile: boolean;
  readsArchives = false;
  around = "";
  current: Definition = FILE;
  hits: Hit[] = [];
  plainHits: PlainHit[] = [];
  readonly #patterns = new PatternUses();
  readonly #states = new Map<Definition, FunctionState>();
  readonly #methods = new Map<string, Definition | undefined>();
  #returned: Value | undefined;
  #steps = 0;
  #depth = 0;
  #asked = 0;
  #isCut = false;
  #exports = 0;

  constructor(program: Program) {
    this.program = program;
    this.isSecretFile = program.lines.some((line) => SECRET_WORD.test(line));
  }

  interpret(): void {
    let finals: ReadonlyMap<string, Value> = new Map();
    for (let round = 0; round < ROUNDS; round += 1) {
      this.hits = [];
      this.plainHits = [];
      this.#patterns.clear();
      this.checks.clear();
      for (const state of this.#states.values()) state.calls = [];
      const file: FunctionState = { ...newState(FILE), finals };
      const scope = new Scope(undefined, file);
      this.run(this.program.body, scope);
      finals = scope.finish();
      if (this.#exports === 0 || this.program.language === "python") this.#publishAll(finals);
    }
    this.#reportPatterns();
  }

  /** A text whose source is not urgent, such as a file, was spoken of with its pattern. */
  #reportPatterns(): void {
    const traced = this.hits.filter((hit) => hit.pattern && trace(hit, (one) => this.stateOf(one)));
    const spokenOf = new Set(traced.flatMap(({ pattern }) => pattern ?? []));
    for (const pattern of this.#patterns.open(spokenOf)) reportPattern(pattern, this);
  }

  /** Whether a bound was met, so that something was not looked at. */
  get isCut(): boolean {
    return this.#isCut;
  }

  #isSpent(): boolean {
    const isSpent = this.#steps > STEPS_MAX || this.#depth > DEPTH_MAX * 4;
    this.#isCut ||= isSpent;
    return isSpent;
  }

  evaluate(expression: Expression, scope: Scope): Value {
    this.#steps += 1;
    if (this.#isSpent()) return UNKNOWN;
    this.#depth += 1;
    const value = evaluate(expression, scope, this);
    this.#depth -= 1;
    return value;
  }

  proofOf(test: Expression, scope: Scope): Proof {
    if (this.#asked >= ASKED_MAX) return NO_PROOF;
    this.#asked += 1;
    const shown = proofOf(test, scope, this);
    this.#asked -= 1;
    return shown;
  }

  assign(target: Expression, value: Value, scope: Scope, declares: boolean): void {
    assign(target, value, scope, declares, this);
  }

  run(statements: readonly Statement[], scope: Scope): boolean {
    return runStatements(statements, scope, this);
  }

  enter(definition: Definition, scope: Scope): void {
    if (this.#isSpent()) return;
    const state = this.stateOf(definition);
    const inner = new Scope(scope, state);
    state.handed = new Map();
    const [outer, around] = [this.#returned, this.around];
    this.#returned = undefined;
    this.around = `${around} ${definition.name}`.slice(-200);
    if (definition.name !== "" && scope.get(definition.name) === undefined)
      inner.declare(definition.name, { flows: [], definition });
    inner.declare("arguments", allArguments(definition));
    definition.parameters.forEach((parameter, index) => {
      const at = parameter.target.at;
      const value = parameter.harmless
        ? UNKNOWN
        : { flows: [from({ kind: "parameter", of: definition, index, at })] };
      if (parameter.fallback !== undefined) this.evaluate(parameter.fallback, inner);
      this.assign(parameter.target, value, inner, true);
    });
    const caller = this.current;
    this.current = definition;
    this.#depth += 1;
    const left = this.run(definition.body, inner);
    this.#depth -= 1;
    this.current = caller;
    // What a function inside of another one calls is called by the other one as well.
    for (const callee of state.callees) this.stateOf(caller).callees.add(callee);
    state.alwaysThrows = left && this.#returned === undefined && throwsLast(definition.body);
    state.returns = this.#returned ?? UNKNOWN;
    state.finals = inner.finish();
    [this.#returned, this.around] = [outer, around];
  }

  stateOf(definition: Definition): FunctionState {
    let state = this.#states.get(definition);
    if (state === undefined) {
      state = newState(definition);
      this.#states.set(definition, state);
    }
    if (state.calls.length > CALLS_MAX) state.calls.length = CALLS_MAX;
    return state;
  }

  methodNamed(name: string): Definition | undefined {
    return this.#methods.get(name);
  }

  addMethod(name: string, definition: Definition): void {
    const known = this.#methods.has(name) ? this.#methods.get(name) : definition;
    this.#methods.set(name, known === definition ? definition : undefined);
  }

  publish(value: Value, isExport = false): void {
    if (isExport) this.#exports += 1;
    this.#open(value, 0);
  }

  #open(value: Value, depth: number): void {
    if (value.definition !== undefined) this.stateOf(value.definition).boundary = true;
    if (depth > 2 || value.members === undefined) return;
    for (const [name, member] of value.members) if (!isPrivate(name)) this.#open(member, depth + 1);
  }

  #publishAll(variables: ReadonlyMap<string, Value>): void {
    for (const [name, value] of variables) if (!isPrivate(name)) this.#open(value, 0);
  }

  report(hit: Hit): void {
    // A dictionary has no prototype that a key could reach.
    const isForeign = hit.rule.category === "prototype-pollution";
    if (isForeign && this.program.language === "python") return;
    if (this.hits.length < HITS_MAX) this.hits.push(hit);
  }

  reportPlain(hit: PlainHit): void {
    if (this.plainHits.length < HITS_MAX) this.plainHits.push(hit);
  }

  give(value: Value): void {
    // A function that is given back can be called by whoever gets it.
    if (value.definition !== undefined) this.stateOf(value.definition).boundary = true;
    this.#returned = this.#returned === undefined ? value : either(this.#returned, value);
  }

  notePattern(pattern: NonNullable<Value["pattern"]>): void {
    this.#patterns.write(pattern);
  }

  noteMatched(pattern: NonNullable<Value["pattern"]>, text: Value): void {
    this.#patterns.match(pattern, text);
  }

  noteModule(name: string): void {
    if (ARCHIVE_MODULE.test(name)) this.readsArchives = true;
  }
}

const allArguments = (definition: Definition): Value => {
  const count = Math.min(Math.max(definition.parameters.length, 3), 4);
  const { at } = definition;
  const indexes = Array.from({ length: count }, (_, index) => index);
  const flows = indexes.map((index) => from({ kind: "parameter", of: definition, index, at }));
  const members = new Map(flows.map((flow, index) => [String(index), { flows: [flow] }]));
  return { flows, members };
};

/** A function that only returns nothing is left early as well. */
function throwsLast(body: readonly Statement[]): boolean {
  const last = body.at(-1);
  if (last?.kind === "block") return throwsLast(last.body);
  return last?.kind === "throw";
}

const isPrivate = (name: string) => /^[_#]/.test(name) && !/^__(?:init|call)__$/.test(name);

const FILE: Definition = {
  name: "",
  parameters: [],
  body: [],
  at: { line: 1, endLine: 1 },
  route: false,
};

const newState = (definition: Definition): FunctionState => ({
  definition,
  boundary: definition.route,
  returns: UNKNOWN,
  alwaysThrows: false,
  handed: new Map(),
  callees: new Set(),
  calls: [],
  finals: new Map(),
});
