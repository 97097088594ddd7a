/** Lines of a construct, counted from one, both included. */
export interface Place {
  readonly line: number;
  readonly endLine: number;
}

/** One entry of a record or of a destructuring pattern; a spread has neither key nor computed. */
export interface Entry {
  readonly key?: string;
  readonly computed?: Expression;
  readonly value: Expression;
}

/**
 * What the engine knows of an expression. Both languages are lowered to this, so that a rule is
 * written once. Python's keyword arguments become a trailing record, like options in JavaScript.
 */
export type Expression = { readonly at: Place } & (
  | { readonly kind: "text"; readonly value: string }
  | { readonly kind: "constant"; readonly value: string }
  | { readonly kind: "pattern"; readonly source: string; readonly flags: string }
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "member"; readonly object: Expression; readonly property: string }
  | { readonly kind: "element"; readonly object: Expression; readonly index: Expression }
  | {
      readonly kind: "call";
      readonly callee: Expression;
      readonly args: readonly Expression[];
      readonly fresh: boolean;
    }
  | { readonly kind: "joined"; readonly parts: readonly Expression[] }
  | {
      readonly kind: "either";
      readonly test: Expression | undefined;
      readonly how: "and" | "or" | "pick";
      readonly options: readonly Expression[];
    }
  | {
      readonly kind: "compare";
      readonly how: string;
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly kind: "not"; readonly value: Expression }
  | { readonly kind: "typeof"; readonly value: Expression }
  | {
      readonly kind: "arithmetic";
      readonly parts: readonly Expression[];
      /** Whether it is the rest of a division. */
      readonly rest?: boolean;
    }
  | { readonly kind: "list"; readonly items: readonly Expression[] }
  | { readonly kind: "record"; readonly entries: readonly Entry[] }
  | { readonly kind: "function"; readonly definition: Definition }
  | { readonly kind: "class"; readonly members: readonly Member[]; readonly name: string }
  | {
      readonly kind: "assign";
      readonly target: Expression;
      readonly value: Expression;
      /** Whether the old value stays part of the new one, as with `+=`. */
      readonly adds: boolean;
      readonly declares: boolean;
    }
  | { readonly kind: "spread"; readonly value: Expression }
  | {
      readonly kind: "comprehension";
      readonly target: Expression;
      readonly over: Expression;
      readonly tests: readonly Expression[];
      readonly body: Expression;
    }
  | { readonly kind: "other"; readonly parts: readonly Expression[] }
);

export interface Member {
  readonly name: string;
  readonly value: Expression;
}

export interface Case {
  /** Empty for the default case. */
  readonly tests: readonly Expression[];
  readonly body: readonly Statement[];
}

export type Statement = { readonly at: Place } & (
  | { readonly kind: "expression"; readonly value: Expression }
  | {
      readonly kind: "if";
      readonly test: Expression;
      readonly body: readonly Statement[];
      readonly otherwise: readonly Statement[] | undefined;
    }
  | {
      readonly kind: "loop";
      /** `keys` for for-in over an object, `items` for for-of, `test` for the rest. */
      readonly how: "keys" | "items" | "test";
      readonly before: readonly Statement[];
      readonly target: Expression | undefined;
      readonly over: Expression | undefined;
      readonly test: Expression | undefined;
      readonly update: Expression | undefined;
      readonly body: readonly Statement[];
    }
  | { readonly kind: "return"; readonly value: Expression | undefined }
  | { readonly kind: "throw"; readonly value: Expression | undefined }
  | {
      readonly kind: "leave";
      /** Whether a loop goes on with its next round. */
      readonly goesOn: boolean;
    }
  | { readonly kind: "block"; readonly body: readonly Statement[] }
  | {
      readonly kind: "try";
      readonly body: readonly Statement[];
      readonly rescue: readonly (readonly Statement[])[];
      readonly after: readonly Statement[];
    }
  | { readonly kind: "switch"; readonly subject: Expression; readonly cases: readonly Case[] }
  | { readonly kind: "define"; readonly definition: Definition }
  | { readonly kind: "export"; readonly value: Expression }
);

export interface Parameter {
  readonly target: Expression;
  readonly rest: boolean;
  readonly fallback: Expression | undefined;
  /** Declared as a number, a boolean or a choice of constants. */
  readonly harmless: boolean;
}

/** A function, method or lambda as it is written. */
export interface Definition {
  readonly name: string;
  readonly parameters: readonly Parameter[];
  readonly body: readonly Statement[];
  readonly at: Place;
  /** Called from outside by a framework: the parameters of a decorated route are request data. */
  readonly route: boolean;
}

export type Language = "javascript" | "python";

/** A file as the engine sees it. */
export interface Program {
  readonly language: Language;
  readonly body: readonly Statement[];
  readonly lines: readonly string[];
  /** Whether some of the file was too deep, or too much, to be brought into this form. */
  readonly isCut: boolean;
}

/** The name of a parameter, where it has one. */
export function parameterName(parameter: Parameter): string {
  return parameter.target.kind === "name" ? parameter.target.name : "";
}
