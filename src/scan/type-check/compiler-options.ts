import { posix } from "node:path";
import { parseJsonWithComments } from "./json-with-comments.ts";

/**
 * What a tree may decide about how it is checked: how strict the rules are, as plain yes or no.
 * Everything else could name files, programs or places, and is ours.
 */
const ALLOWED = [
  "strict",
  "noImplicitAny",
  "noImplicitThis",
  "strictNullChecks",
  "strictFunctionTypes",
  "strictBindCallApply",
  "strictPropertyInitialization",
  "useUnknownInCatchVariables",
  "exactOptionalPropertyTypes",
  "noUncheckedIndexedAccess",
  "noImplicitReturns",
  "noFallthroughCasesInSwitch",
  "experimentalDecorators",
  "useDefineForClassFields",
] as const;
const ROOT_CONFIG = "tsconfig.json";
/** How far one configuration may build on another. */
const EXTENDS_MAX = 5;

const OWN = {
  noEmit: true,
  target: "esnext",
  module: "esnext",
  moduleResolution: "bundler",
  // A script without imports would share its names with every other one.
  moduleDetection: "force",
  // Without the libraries of browsers and of Node their names are unknown, which is dropped later;
  // the wrong one of the two would give errors that are none.
  lib: ["esnext"],
  types: [],
  jsx: "preserve",
  allowImportingTsExtensions: true,
  allowJs: false,
  resolveJsonModule: false,
  skipLibCheck: true,
  esModuleInterop: true,
  strict: false,
};

/** What the compiler is told. */
export type CompilerOptions = Readonly<Record<string, unknown>>;

/**
 * The compiler's options for a tree, of whose root configuration only the strictness counts. Where
 * there is none, nobody knows how strict the code is meant to be: a check that is laxer than its
 * author's finds errors too, so only what two of them find is an error.
 */
export function compilerOptions(
  configOf: (path: string) => string | undefined,
): readonly [CompilerOptions, ...CompilerOptions[]] {
  if (configOf(ROOT_CONFIG) === undefined) return [OWN, { ...OWN, strict: true }];
  return [{ ...OWN, ...strictness(ROOT_CONFIG, configOf, 0) }];
}

function strictness(
  path: string,
  configOf: (path: string) => string | undefined,
  depth: number,
): Record<string, boolean> {
  const text = configOf(path);
  if (text === undefined || depth > EXTENDS_MAX) return {};
  const config = membersOf(parseJsonWithComments(text));
  const base = config["extends"];
  const bases = (Array.isArray(base) ? base : [base]).filter((one) => typeof one === "string");
  const inherited = bases.map((one) => {
    // Only what is in the tree: packages are not there, and other places are nobody's business.
    const target = posix.normalize(posix.join(posix.dirname(path), withEnding(one)));
    return one.startsWith(".") ? strictness(target, configOf, depth + 1) : {};
  });
  const own = membersOf(config["compilerOptions"]);
  const plain = ALLOWED.flatMap((name) => {
    const value = own[name];
    return typeof value === "boolean" ? [[name, value] as const] : [];
  });
  return Object.assign({}, ...inherited, Object.fromEntries(plain));
}

const withEnding = (name: string) => (name.endsWith(".json") ? name : `${name}.json`);

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? (value as Record<string, unknown>) : {};
}
