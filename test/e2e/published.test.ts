import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { says, serve } from "../agent/inside/scripted-service.ts";
import { run } from "../fake/child.ts";
import { temporaryFolder } from "../fake/sandbox.ts";
import { GitFolder } from "../repo/git-folder.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const TSC = join(ROOT, "node_modules/.bin/tsc");
/** Files of ours that whoever installs the package gets; there are five times as many in dist/. */
const FILES_MAX = 800;

/** A folder in which the package is installed as it would be published. */
function install(): string {
  const folder = temporaryFolder();
  const modules = join(folder, "node_modules");
  mkdirSync(modules);
  const packing = ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder];
  const name = execFileSync("npm", packing, { cwd: ROOT, encoding: "utf8" }).trim();
  execFileSync("tar", ["-xzf", join(folder, name), "-C", modules]);
  renameSync(join(modules, "package"), join(modules, "sworn"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  for (const one of [...Object.keys(dependencies), "@types/node"]) {
    mkdirSync(join(modules, one, ".."), { recursive: true });
    symlinkSync(join(ROOT, "node_modules", one), join(modules, one));
  }
  // A sandbox of root is another user's, and has to read the programs that run inside.
  chmodSync(folder, 0o755);
  return folder;
}

/** A repository in which that package's command runs. */
class Project extends GitFolder {
  readonly #bin = join(install(), "node_modules/sworn/dist/cli/bin.js");

  sworn(...args: readonly string[]) {
    const env = { ...this.env, SWORN_STATE_DIR: join(this.home, "state") };
    return run(process.execPath, [this.#bin, ...args], { cwd: this.path, env });
  }
}

test("nothing is published that nobody outside can reach", () => {
  const dist = join(install(), "node_modules/sworn/dist");
  const files = readdirSync(dist, { recursive: true }).length;
  expect(files).toBeGreaterThan(300);
  expect(files).toBeLessThan(FILES_MAX);
  expect(existsSync(join(dist, "scan/pool.js"))).toBe(false);
});

test("no published file asks for a package that is not installed with it", () => {
  const dist = join(install(), "node_modules/sworn/dist");
  const { devDependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const asks = /(?:\bfrom |\bimport\(|\brequire\(|\bresolve\()"((?:@[^/"]+\/)?[^/".]+)/g;
  const asked = readdirSync(dist, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.(?:[cm]?js|d\.ts)$/.test(path))
    .flatMap((path) =>
      [...readFileSync(join(dist, path), "utf8").matchAll(asks)].map(([, name = ""]) => name),
    );
  expect(asked).toContain("zod");
  expect(asked.filter((name) => Object.hasOwn(devDependencies, name))).toEqual([]);
});

test("what is published holds every guarantee, reviews, works and verifies", async () => {
  const project = new Project();
  cpSync(join(ROOT, "examples/run/project"), project.path, { recursive: true });
  project.commit();
  const proven = await project.sworn("prove", "--json");
  expect([proven.code, proven.err]).toEqual([0, expect.any(String)]);
  const plan = join(ROOT, "examples/run/plan.json");
  const session = await project.sworn("run", "--plan", plan, "--profile", "team", "--json");
  expect(session).toMatchObject({ code: 0, out: expect.stringContaining('"delivered"') });
  const branch = project.git("branch", "--list", "--format=%(refname:short)", "sworn/delivered/*");
  const review = await project.sworn("review", `HEAD..${branch.trim()}`, "--json");
  expect(review).toMatchObject({ code: 0, out: expect.stringContaining('"status":"completed"') });
  const verified = await project.sworn("verify", "latest", "--json");
  expect(verified).toMatchObject({ code: 0, out: expect.stringContaining('"pass"') });
});

test("the programs that drive a model inside a sandbox are published with all that they load", async () => {
  const project = new Project();
  const { asked, endpoint } = await serve([says("There is nothing to do.")]);
  const agent = { driver: "model", provider: "compatible", model: "m", endpoint };
  project.commit({ "sworn.yaml": JSON.stringify({ agents: { thinker: agent } }) });
  const ended = await project.sworn("agents", "run", "thinker", "Look around", "--json");
  expect(ended).toMatchObject({ code: 0, out: expect.stringContaining('"completed"') });
  expect(asked.length).toBeGreaterThan(0);
});

test("what the package says it exports can be imported, and its types hold together", async () => {
  const installed = install();
  const source = [
    'import { EventRequest, Place, readTrace, Recorder } from "sworn";',
    'import { verifyTrace } from "sworn/verify";',
    "export const known: unknown[] = [EventRequest, Place, readTrace, Recorder, verifyTrace];",
    "if (known.includes(undefined)) throw new Error('something is not there');",
  ];
  writeFileSync(join(installed, "use.ts"), source.join("\n"));
  const options = ["--module", "nodenext", "--target", "es2023", "--types", "node", "--strict"];
  const compiled = await run(TSC, [...options, "--skipLibCheck", "false", "use.ts"], {
    cwd: installed,
  });
  expect([compiled.code, compiled.out]).toEqual([0, ""]);
  const used = await run(process.execPath, ["use.js"], { cwd: installed });
  expect([used.code, used.err]).toEqual([0, ""]);
});
