import { SourceLines } from "../kind/index.ts";
import type { Found, SourceFile, TreeReading, TreeReviewer } from "../reviewer.ts";
import { type Compiler, findCompiler, runCompiler } from "./compiler.ts";
import { type CompilerOptions, compilerOptions } from "./compiler-options.ts";
import { type Diagnostic, isOwn, missingName, readOutput } from "./diagnostic.ts";
import { augmentedTypes, filesOnMissingTypes } from "./missing-types.ts";
import { PrivateFolder } from "./private-folder.ts";

const FILES_MAX = 20_000;
const CHARS_MAX = 128_000_000;
const FINDINGS_MAX = 200;
const TYPESCRIPT = /\.[mc]?tsx?$/;
const INSTALLED = /(?:^|\/)node_modules\//;
/** Tests of compilers, linters and declared types hold code that is wrong on purpose. */
const FIXTURE =
  /(?:^|\/)(?:__)?(?:fixtures?|testdata|baselines?|snapshots?)(?:__)?\/|\.test-d\.[mc]?tsx?$/;
const CONFIG = /(?:^|\/)tsconfig[\w.-]{0,60}\.json$/;
const PASSES_ON =
  /^\s{0,20}export\s{1,4}\*\s[^;\n]{0,200}?from\s{0,4}["'][^."'][^"'\n]{0,200}["']/m;

/** Looks for type errors with the compiler that is found by `compilerOf`. */
export function typeChecker(compilerOf: () => Promise<Compiler | undefined>): TreeReviewer {
  return {
    name: "types",
    role: "looks for type errors with the TypeScript compiler",
    prefix: "TYP",
    covers: (path) =>
      TYPESCRIPT.test(path) &&
      !INSTALLED.test(path) &&
      !FIXTURE.test(path) &&
      !/\.d\.[mc]?ts$/.test(path),
    context: (path) => (TYPESCRIPT.test(path) || CONFIG.test(path)) && !INSTALLED.test(path),
    start: () => new Reading(compilerOf),
  };
}

/** The built-in reviewer of types; it needs the `typescript` package beside this one. */
export const types: TreeReviewer = typeChecker(() => findCompiler(import.meta.url));

class Reading implements TreeReading {
  readonly skipped: { path: string; why: string }[] = [];
  unavailable: string | undefined;
  readonly #compilerOf: () => Promise<Compiler | undefined>;
  readonly #taken = new Map<string, SourceFile>();
  readonly #seen = new Map<string, SourceFile>();
  #chars = 0;

  constructor(compilerOf: () => Promise<Compiler | undefined>) {
    this.#compilerOf = compilerOf;
  }

  take(file: SourceFile): void {
    this.#keep(this.#taken, file);
  }

  see(file: SourceFile): void {
    this.#keep(this.#seen, file);
  }

  async finish(stop: AbortSignal): Promise<Found[]> {
    if (this.#taken.size === 0) return [];
    const compiler = await this.#compilerOf();
    if (compiler === undefined) {
      this.unavailable = "type errors were not looked for: install typescript beside sworn";
      return [];
    }
    const folder = new PrivateFolder();
    try {
      for (const file of [...this.#taken.values(), ...this.#seen.values()]) {
        const why = TYPESCRIPT.test(file.path) ? folder.write(file) : undefined;
        if (why !== undefined) this.skipped.push({ path: file.path, why });
      }
      return this.#toFound(await this.#check(compiler, folder, stop));
    } finally {
      folder.remove();
    }
  }

  #keep(into: Map<string, SourceFile>, file: SourceFile): void {
    const count = this.#taken.size + this.#seen.size;
    if (count >= FILES_MAX || this.#chars + file.text.length > CHARS_MAX) {
      this.skipped.push({ path: file.path, why: "the tree is too large to check its types" });
      return;
    }
    this.#chars += file.text.length;
    into.set(file.path, file);
  }

  async #check(
    compiler: Compiler,
    folder: PrivateFolder,
    stop: AbortSignal,
  ): Promise<Diagnostic[]> {
    const configOf = (path: string) => (this.#seen.get(path) ?? this.#taken.get(path))?.text;
    const [options, ...others] = compilerOptions(configOf);
    const runWith = async (asked: CompilerOptions, declared: readonly string[]) => {
      folder.configure(asked, declared);
      return readOutput(await runCompiler(compiler, folder.path, stop), folder.path);
    };
    const first = await runWith(options, []);
    // A class that extends an unknown name has unknown members; declared as anything, it may have all.
    const extended = this.#extendedNames();
    const missing = new Set(first.flatMap((one) => missingName(one) ?? []));
    const declared = [...missing].filter((name) => extended.has(name));
    const said = declared.length === 0 ? first : await runWith(options, declared);
    let sure = this.#own(said, missing, others.length === 0);
    for (const other of others) {
      if (sure.length === 0) break;
      sure = saidInBoth(sure, await runWith(other, declared));
    }
    return sure;
  }

  /** What is said of files that were to be checked, and rests on nothing that is not here. */
  #own(
    diagnostics: readonly Diagnostic[],
    missing: ReadonlySet<string>,
    isConfigured: boolean,
  ): Diagnostic[] {
    const all = new Map([...this.#seen, ...this.#taken]);
    const passesOnMissing = [...all.values()].some(({ text }) => PASSES_ON.test(text));
    const resting = filesOnMissingTypes(all, missing);
    const augmented = augmentedTypes(all.values());
    return diagnostics.filter(
      (one) =>
        this.#taken.has(one.path) &&
        isOwn(one, {
          passesOnMissing,
          // Without a configuration not even the compiler's version is known, and each judges otherwise.
          restsOnMissing: !isConfigured || resting.has(one.path),
          augmented,
        }),
    );
  }

  #extendedNames(): Set<string> {
    const all = [...this.#taken.values(), ...this.#seen.values()];
    const names = all.flatMap(({ text }) =>
      [...text.matchAll(/\bclass\s[^{;=]{0,200}?\bextends\s{1,4}([A-Z][\w$]{0,100})/g)].map(
        (match) => match[1] ?? "",
      ),
    );
    return new Set(names);
  }

  #toFound(own: readonly Diagnostic[]): Found[] {
    if (own.length > FINDINGS_MAX) {
      const why = `${own.length - FINDINGS_MAX} further type errors are not shown`;
      this.skipped.push({ path: own[FINDINGS_MAX]?.path ?? "", why });
    }
    const linesOf = new Map<string, SourceLines>();
    return own.slice(0, FINDINGS_MAX).map((one) => {
      const file = this.#taken.get(one.path) ?? { path: one.path, text: "" };
      const lines = linesOf.get(one.path) ?? new SourceLines(file);
      linesOf.set(one.path, lines);
      return toFinding(one, lines);
    });
  }
}

/** What the compiler says of the same place in two runs, as the first one says it. */
function saidInBoth(one: readonly Diagnostic[], other: readonly Diagnostic[]): Diagnostic[] {
  const keyOf = ({ path, line, column, code }: Diagnostic) => `${code} ${line} ${column} ${path}`;
  const keys = new Set(other.map(keyOf));
  return one.filter((each) => keys.has(keyOf(each)));
}

function toFinding({ line, code, message }: Diagnostic, lines: SourceLines): Found {
  const [first = ""] = message.split("\n", 1);
  const isSyntax = code < 2_000;
  return {
    title: `TS${code}: ${first}`.slice(0, 300),
    priority: "P2",
    category: isSyntax ? "broken-syntax" : "type-error",
    citations: [lines.cite(Math.min(line, lines.count))],
    issue: `The TypeScript compiler says: ${message}`,
  };
}
