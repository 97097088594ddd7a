import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Place } from "../../src/flow/place.ts";
import { importBundle } from "../../src/flow/trace/bundle.ts";
import { type Ended, each, run, sworn } from "../fake/child.ts";
import { temporaryFolder } from "../fake/sandbox.ts";
import { packed, partsOf } from "./bundle-parts.ts";
import { badLines, badPackaging, writeCrowd, writeZeros } from "./hostile-bundles.ts";
import { contentOf, exampleProject, exported, type Project } from "./project.ts";

const MEASURED = join(import.meta.dirname, "measured.mjs");
/** Who opens a queue that nobody writes into waits forever; this is how long we watch it wait. */
const QUEUE_GUARD_MS = 15_000;
/** Far below what the input would take if it was read at once. */
const MEMORY_MAX_KIB = 400 * 1024;
/** Far below the size of the file, and above what waits to be collected on a busy machine. */
const ZEROS_MEMORY_MAX_KIB = 600 * 1024;

/** An answer to bad input: refused with words a person can use, no stack, and no hanging. */
function expectRefused(what: string, { code, out, err, hung }: Ended): void {
  const said = out + err;
  expect([what, hung]).toEqual([what, false]);
  expect([2, 4], `${what}: ${said.slice(0, 2_000)}`).toContain(code);
  expect(said, what).not.toMatch(/^ {4}at |node:internal|UNEXPECTED|TypeError|RangeError/m);
  expect(said.trim().length, what).toBeGreaterThan(20);
}

/** Verifies and imports a file. Importing runs in this process, where anything thrown would show. */
async function expectHarmless(project: Project, what: string, path: string): Promise<void> {
  expectRefused(`verify ${what}`, await sworn(project, ["verify", path]));
  const place = new Place({ store: join(project.project, ".sworn"), state: project.state });
  const outcome = await importBundle(place, path, undefined).catch((error: unknown) => error);
  const refused = expect.objectContaining({ kind: "refused" });
  const malformed = expect.objectContaining({ name: "SwornError", code: "BUNDLE_MALFORMED" });
  expect([refused, malformed], `import ${what}: ${String(outcome)}`).toContainEqual(outcome);
}

async function expectAllHarmless(bundles: Record<string, Buffer>): Promise<void> {
  const project = await emptyProject();
  const folder = temporaryFolder();
  const before = contentOf(project.folder);
  await each(Object.entries(bundles), 2, async ([what, bytes]) => {
    const path = join(folder, `${what.replaceAll(" ", "-")}.tar`);
    writeFileSync(path, bytes);
    await expectHarmless(project, what, path);
    expect([what, readFileSync(path).equals(bytes)]).toEqual([what, true]);
  });
  expect(contentOf(project.folder)).toEqual(before);
}

/** A project in which nothing was ever recorded. */
async function emptyProject(): Promise<Project> {
  const folder = temporaryFolder();
  const project = join(folder, "project");
  mkdirSync(project);
  const example = await exampleProject();
  return { ...example, folder, project, state: join(folder, "state") };
}

async function goodParts() {
  return partsOf(exported(await exampleProject()));
}

test("a bundle whose packaging tries something is refused and writes nothing", async () => {
  await expectAllHarmless(badPackaging(await goodParts()));
});

test("a bundle with lines that are no entries is refused and writes nothing", async () => {
  await expectAllHarmless(badLines(await goodParts()));
});

test("eight hundred megabytes of zeros are refused in bounded memory", async () => {
  const project = await emptyProject();
  const path = join(project.folder, "zeros.tar");
  writeZeros(path, await goodParts(), 800 << 20);
  const ended = await run(process.execPath, [MEASURED, "verify", path], { cwd: project.project });
  expectRefused("zeros", ended);
  expect(memoryOf(ended)).toBeLessThan(ZEROS_MEMORY_MAX_KIB);
});

test("fifty thousand artifacts that nobody cites are refused in bounded memory", async () => {
  const project = await emptyProject();
  const path = join(project.folder, "crowd.tar");
  writeCrowd(path, await goodParts(), 50_000);
  const ended = await run(process.execPath, [MEASURED, "verify", path], { cwd: project.project });
  expectRefused("crowd", ended);
  expect(memoryOf(ended)).toBeLessThan(MEMORY_MAX_KIB);
});

test("four million empty lines are refused without hanging, in bounded memory", async () => {
  const project = await emptyProject();
  const path = join(project.folder, "empty-lines.tar");
  const [parts, bytes] = [await goodParts(), Buffer.alloc(4_000_000, "\n")];
  const isEntries = ({ name }: { name: string }) => name === "entries.jsonl";
  writeFileSync(path, packed(parts.map((one) => (isEntries(one) ? { ...one, bytes } : one))));
  const args = [MEASURED, "verify", path];
  const ended = await run(process.execPath, args, { cwd: project.project, guardMs: 60_000 });
  expectRefused("empty lines", ended);
  expect(memoryOf(ended)).toBeLessThan(MEMORY_MAX_KIB);
});

function memoryOf({ err }: Ended): number {
  const kib = Number(/^peak (\d+) KiB$/m.exec(err)?.[1]);
  expect(kib).toBeGreaterThan(10_000);
  return kib;
}

test("a folder, a queue, a device or nothing in place of a bundle is refused without hanging", async () => {
  const project = await emptyProject();
  const folder = temporaryFolder();
  const fifo = join(folder, "queue.tar");
  const json = join(folder, "queue.json");
  for (const path of [fifo, json]) expect((await run("mkfifo", [path])).code).toBe(0);
  const before = contentOf(project.folder);
  const paths = [folder, fifo, json, "/dev/zero", "/dev/null", join(folder, "missing.tar")];
  const calls = paths.flatMap((path) => [
    ["verify", path],
    ["trace", "import", path],
  ]);
  const ended = await each(calls, 3, (args) => sworn(project, args, { guardMs: QUEUE_GUARD_MS }));
  const hung = calls.filter((_, at) => ended[at]?.hung).map((args) => args.join(" "));
  expect(hung).toEqual([]);
  for (const [at, one] of ended.entries()) expectRefused(calls[at]?.join(" ") ?? "", one);
  expect(contentOf(project.folder)).toEqual(before);
});

test("a file that is no proof is refused", async () => {
  const project = await emptyProject();
  const folder = temporaryFolder();
  const proofs: Record<string, string | Buffer> = {
    nothing: "",
    "no JSON": "{",
    "a list": "[]",
    "nested too deep": "[".repeat(100_000) + "]".repeat(100_000),
    "too large": `{"v":1,"trace":"${"x".repeat(5 << 20)}"}`,
    "a key given twice": '{"v":1,"v":1}',
    "a key called __proto__": '{"__proto__":{"v":1}}',
    "no text": Buffer.from([0xff, 0xfe, 0x00]),
    "a byte order mark": '\ufeff{"v":1}',
  };
  await each(Object.entries(proofs), 2, async ([what, content]) => {
    const path = join(folder, `${what.replaceAll(" ", "-")}.json`);
    writeFileSync(path, content);
    expectRefused(what, await sworn(project, ["verify", path]));
  });
});
