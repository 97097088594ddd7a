import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { findCompiler } from "../../../src/scan/type-check/compiler.ts";
import { typeChecker, types } from "../../../src/scan/type-check/index.ts";
import { Finding } from "../../../src/schema/finding.ts";
import { temporaryFolder } from "../../fake/sandbox.ts";

const STRICT = { "tsconfig.json": '{ "compilerOptions": { "strict": true } }' };
const running = () => new AbortController().signal;

/** Reviews a tree; files that the reviewer does not cover are shown to it as context. */
async function check(files: Record<string, string>, reviewer = types) {
  const reading = reviewer.start();
  const entries = Object.entries(files).map(([path, text]) => ({ path, text }));
  for (const file of entries) if (reviewer.covers(file.path)) reading.take(file);
  for (const file of entries) {
    if (!reviewer.covers(file.path) && reviewer.context?.(file.path)) reading.see?.(file);
  }
  const found = await reading.finish(running());
  return { found, reading };
}

/** Codes and places: `TS2322 a.ts:1`. */
async function errors(files: Record<string, string>): Promise<string[]> {
  const { found } = await check(files);
  return found.map(({ title, citations: [place] }) => {
    return `${title.split(":", 1)[0]} ${place?.file}:${place?.line}`;
  });
}

// A temporary folder of its own, so that what is left there is what these tests left.
beforeEach(() => vi.stubEnv("TMPDIR", temporaryFolder()));
afterEach(() => vi.unstubAllEnvs());

const left = () => readdirSync(tmpdir()).filter((name) => name.startsWith("sworn-types-"));

describe("type errors that are the tree's own", () => {
  test.each([
    ["an assignment", "export const a: number = 'b';", "TS2322"],
    ["an argument", "const f = (a: number) => a;\nexport const b = f('c');", "TS2345 a.ts:2"],
    ["the number of arguments", "function f(a: number) { return a; }\nf(1, 2);", "TS2554 a.ts:2"],
    ["a member that is not there", "const a = { b: 1 };\nexport const c = a.d;", "TS2339 a.ts:2"],
    ["a missing property", "interface A { b: 1 }\nexport const a: A = {};", "TS2741 a.ts:2"],
    ["a value that may be missing", "export const f = (a?: string) => a.length;", "TS18048"],
    ["a constant that is changed", "const a = 1;\na = 2;", "TS2588 a.ts:2"],
    ["syntax", "export const a = ;", "TS1109 a.ts:1"],
  ])("%s", async (_, text, expected) => {
    const [first] = await errors({ ...STRICT, "a.ts": text });
    expect(first).toContain(expected);
  });

  test("are found across files, with the line as it stands", async () => {
    const { found } = await check({
      ...STRICT,
      "lib/a.ts": "export function half(n: number): number { return n / 2; }\n",
      "b.ts": 'import { half } from "./lib/a.js";\n\nhalf("1");\n',
    });
    expect(found).toHaveLength(1);
    expect(() => Finding.parse({ ...found[0], id: "TYP-001" })).not.toThrow();
    expect(found[0]).toMatchObject({
      priority: "P2",
      category: "type-error",
      citations: [{ file: "b.ts", line: 3, quote: 'half("1");' }],
    });
  });

  test("are told of files under review only, and judged with the others", async () => {
    const reading = types.start();
    reading.take({ path: "b.ts", text: 'import { a } from "./a";\nexport const b: string = a;\n' });
    reading.see?.({ path: "a.ts", text: "export const a: number = 'c';\n" });
    const found = await reading.finish(running());
    expect(found.map(({ citations }) => citations[0]?.file)).toEqual(["b.ts"]);
  });
});

describe("errors of what is not there are dropped", () => {
  test.each([
    ["a package", 'import { a } from "missing";\nexport const b: number = a.c.d;'],
    [
      "a type of a package",
      'import type { A } from "missing";\nexport const f = (a: A<1>) => a.b;',
    ],
    [
      "a base class of a package",
      'import { A } from "missing";\nexport class B extends A { c() { return this.d; } }',
    ],
    [
      "a global of browsers",
      "export class A extends HTMLElement { b() { return this.shadowRoot; } }",
    ],
    [
      "a global of Node",
      "setTimeout(() => {}, 1).unref();\nexport const a: Buffer = Buffer.from('b');",
    ],
    ["a test runner", "describe('a', () => { it('b', () => { expect(1).toBe(1); }); });"],
    [
      "a file that is generated later",
      'import { a } from "./generated/a";\nexport const b: string = a;',
    ],
    ["parameters of a missing function", 'import a from "missing";\na.get("/", (b, c) => c.d(b));'],
    ["members that tools add", "Error.captureStackTrace({});\nexport const a = import.meta.env.B;"],
    [
      "types computed from a package",
      'import { z } from "missing";\ntype A = z.infer<typeof z>;\nexport const f = (a: Omit<A, "b">): string => a.c;',
    ],
    [
      "collections of a package's values",
      'import { all } from "missing";\nexport const a: string[] = [...new Set(all())];',
    ],
    [
      "types that are only added to",
      'import { A } from "missing";\ndeclare module "missing" { interface A { b: 1 } }\nexport const f = (a: A) => a.c;',
    ],
  ])("%s", async (_, text) => {
    expect(await errors({ ...STRICT, "a.ts": text })).toEqual([]);
  });

  test("types computed from a package are not believed in the files that import them either", async () => {
    const base = 'import { z } from "missing";\nexport type A = z.infer<typeof z>;\n';
    const user =
      'import type { A } from "./a.ts";\nexport const f = (name: keyof A, all: Map<string, 1>) => all.get(name);\n';
    expect(await errors({ ...STRICT, "a.ts": base, "b.ts": user })).toEqual([]);
    const plain = "export interface A { 1: 2 }\n";
    expect(await errors({ ...STRICT, "a.ts": plain, "b.ts": user })).toEqual(["TS2345 b.ts:2"]);
  });

  test("but a plain error in the same file stays", async () => {
    const text =
      'import { z } from "missing";\ntype A = z.infer<typeof z>;\nexport const a: number = "b";\n';
    expect(await errors({ ...STRICT, "a.ts": text })).toEqual(["TS2322 a.ts:3"]);
  });

  test("JSX needs no library", async () => {
    const text = `import * as React from "react";
function Box(props: { title: string; children: unknown }) { return <div>{props.children}</div>; }
export const a = <Box title="b" key="c"><p class="d">e</p></Box>;
export const b = <Box title={1}>f</Box>;
`;
    expect(await errors({ ...STRICT, "a.tsx": text })).toEqual(["TS2322 a.tsx:4"]);
  });
});

describe("the tree decides how strict, and nothing else", () => {
  const LOOSE = "export const f = (a?: string) => a.length;";

  test("strictness is read through comments, commas and files of the tree", async () => {
    expect(await errors({ "a.ts": LOOSE })).toEqual([]);
    const config = '// a\n{ "compilerOptions": { "strict": true, /* b */ }, }';
    expect(await errors({ "a.ts": LOOSE, "tsconfig.json": config })).toHaveLength(1);
    const base = { "tsconfig.json": '{ "extends": "./config/tsconfig.base" }' };
    const strict = { "config/tsconfig.base.json": '{ "compilerOptions": { "strict": true } }' };
    expect(await errors({ "a.ts": LOOSE, ...base, ...strict })).toHaveLength(1);
  });

  test("without a configuration only what is sure at any strictness is an error", async () => {
    // With loose checks the condition is always true, with strict ones it is not.
    const loose = `type IsLoose = undefined extends string ? true : false;
export const a: IsLoose extends true ? number : string = "b";
`;
    expect(await errors({ "a.ts": loose })).toEqual([]);
    // Compilers of different years disagree about the branches of what is returned.
    const branch = `export function kind(a: any): 0 | 1 {
  const b: number = a.b;
  return b ? (b > 1 ? b - 1 : (b as any)) : 0;
}
`;
    expect(await errors({ "a.ts": branch })).toEqual([]);
    const sure = `function f(a: number) { return a; }
f(1, 2);
export const b: number = "c";
`;
    expect(await errors({ "a.ts": sure })).toEqual(["TS2554 a.ts:2", "TS2322 a.ts:3"]);
    expect(await errors({ "a.ts": "const d = ;\n" })).toEqual(["TS1109 a.ts:1"]);
  });

  test("tests of declared types are wrong on purpose", async () => {
    const text = 'import { expectError } from "tsd";\nexpectError((1 as number) = "a");\n';
    expect(await errors({ ...STRICT, "a.test-d.ts": text })).toEqual([]);
  });

  test("plugins, places and other options are not obeyed", async () => {
    const compilerOptions = {
      strict: true,
      noEmit: false,
      noCheck: true,
      outDir: "../../out",
      plugins: [{ name: "evil" }],
      typeRoots: ["/"],
      skipLibCheck: false,
      strictNullChecks: "no",
    };
    const config = JSON.stringify({ compilerOptions, files: [], exclude: ["**"], extends: "/a" });
    expect(await errors({ "a.ts": LOOSE, "tsconfig.json": config })).toHaveLength(1);
  });

  test("a configuration that builds on itself, or is none, does not hang it", async () => {
    const circle = { "tsconfig.json": '{ "extends": "./tsconfig.json" }' };
    expect(await errors({ "a.ts": LOOSE, ...circle })).toEqual([]);
    expect(await errors({ "a.ts": LOOSE, "tsconfig.json": "[[[[" })).toEqual([]);
  });
});

describe("a hostile tree", () => {
  test("cannot write or read outside of the private folder, which is gone afterwards", async () => {
    const before = left();
    const secret = temporaryFolder();
    writeFileSync(join(secret, "secret.ts"), 'export const secret = "hidden" as const;\n');
    const outside = JSON.stringify(join(secret, "secret"));
    const reading = types.start();
    reading.take({ path: "../../escape.ts", text: "export const a = 1;" });
    reading.take({ path: "/escape.ts", text: "export const a = 1;" });
    reading.take({ path: "a\\..\\b.ts", text: "export const a = 1;" });
    await reading.finish(running());
    expect(reading.skipped?.map(({ path }) => path)).toEqual([
      "../../escape.ts",
      "/escape.ts",
      "a\\..\\b.ts",
    ]);
    const reader = types.start();
    reader.take({
      path: "a.ts",
      text: `import { secret } from ${outside};\nconst a: 1 = secret;\n`,
    });
    await expect(Promise.resolve(reader.finish(running()))).rejects.toThrow("not the tree's");
    expect(left()).toEqual(before);
  });

  test("whose two paths are one file has one of them named as left out", async () => {
    const reading = types.start();
    reading.take({ path: "a.ts", text: "export const a = 1;" });
    reading.take({ path: "a.ts/b.ts", text: "export const b = 1;" });
    await reading.finish(running());
    expect(reading.skipped?.map(({ path }) => path)).toEqual(["a.ts/b.ts"]);
  });

  test("does not bring the compiler down with endless types", async () => {
    const text = "type A<T> = T extends 0 ? never : A<[T]>;\nexport let a: A<1>;\n";
    expect(await errors({ "a.ts": text })).toEqual([]);
  });
});

describe("the compiler", () => {
  test("is missing: then that is said, and nothing counts as looked at", async () => {
    const { found, reading } = await check(
      { "a.ts": "const a: 1 = 2;" },
      typeChecker(async () => undefined),
    );
    expect(found).toEqual([]);
    expect(reading.unavailable).toBe(
      "type errors were not looked for: install typescript beside sworn",
    );
  });

  test("is not asked for in a tree without TypeScript", async () => {
    const { reading } = await check(
      { "a.js": "a();" },
      typeChecker(async () => undefined),
    );
    expect(reading.unavailable).toBeUndefined();
  });

  test("is looked for upwards from this code, never in the tree under review", async () => {
    const folder = temporaryFolder();
    const home = join(folder, "a/node_modules/typescript");
    mkdirSync(join(home, "lib"), { recursive: true });
    writeFileSync(join(home, "package.json"), '{ "version": "5.9.2" }');
    expect(await findCompiler(pathToFileURL(join(folder, "b/c.js")).href)).toBeUndefined();
    expect(await findCompiler(pathToFileURL(join(folder, "a/b/c.js")).href)).toEqual({
      command: process.execPath,
      args: [join(home, "lib/tsc.js")],
    });
  });

  test.each([
    ["breaks down", "process.exit(7)"],
    ["refuses its options", 'console.log("error TS5023: Unknown"); process.exit(1)'],
    ["reads another file", 'console.log("/etc/other.ts")'],
    [
      "prints without end",
      'const a = "x".repeat(1 << 20); for (let i = 0; i < 64; i++) console.log(a)',
    ],
  ])("that %s has found nothing clean", async (_, script) => {
    const before = left();
    const folder = temporaryFolder();
    const path = join(folder, "tsc.mjs");
    writeFileSync(path, script);
    const reviewer = typeChecker(async () => ({ command: process.execPath, args: [path] }));
    await expect(check({ "a.ts": "const a = 1;" }, reviewer)).rejects.toThrow();
    expect(left()).toEqual(before);
  });

  test("is given no environment and no shell", async () => {
    const folder = temporaryFolder();
    const path = join(folder, "tsc.mjs");
    const told = join(folder, "told.json");
    writeFileSync(
      path,
      `import { writeFileSync, statSync } from "node:fs";
writeFileSync(${JSON.stringify(told)}, JSON.stringify({ env: Object.keys(process.env), mode: statSync(".").mode & 0o777 }));`,
    );
    chmodSync(path, 0o644);
    const reviewer = typeChecker(async () => ({ command: process.execPath, args: [path] }));
    await check({ "a.ts": "const a = 1;" }, reviewer);
    expect(existsSync(told)).toBe(true);
    const { default: seen } = await import(told, { with: { type: "json" } });
    expect(seen).toEqual({ env: [], mode: 0o700 });
  });

  test("is stopped when the review is", async () => {
    const folder = temporaryFolder();
    const path = join(folder, "tsc.mjs");
    writeFileSync(path, "setInterval(() => {}, 1000);");
    const reviewer = typeChecker(async () => ({ command: process.execPath, args: [path] }));
    const reading = reviewer.start();
    reading.take({ path: "a.ts", text: "const a = 1;" });
    const stop = new AbortController();
    const ended = Promise.resolve(reading.finish(stop.signal));
    setImmediate(() => stop.abort());
    await expect(ended).rejects.toThrow("the review was stopped");
  });
});
