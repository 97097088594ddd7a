import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findProgram, type ProgramFound } from "../../src/agent/index.ts";
import { askVersion } from "../../src/agent/program-version.ts";

let base: string;
let home: string;
let tree: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "sworn-find-")));
  [home, tree] = [join(base, "home"), join(base, "tree")];
  mkdirSync(home);
  mkdirSync(tree);
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const put = (path: string, text: string, mode = 0o755): string => {
  const file = join(base, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
};
const says = (version: string): string => `#!/bin/sh\necho agent ${version}\n`;
const find = (program: string, ...folders: string[]) =>
  findProgram(program, {
    path: [...folders.map((folder) => join(base, folder)), dirname(process.execPath), "/bin"].join(
      delimiter,
    ),
    home,
    untrusted: [tree],
  });
const found = async (program: string, ...folders: string[]): Promise<ProgramFound> => {
  const result = await find(program, ...folders);
  if ("missing" in result) throw new Error(result.missing);
  return result;
};

test("the first on the PATH that can be run is it, with the version that it tells", async () => {
  put("a/agent", says("0.1.0"), 0o644);
  mkdirSync(join(base, "b/agent"), { recursive: true });
  const file = put("c/agent", says("1.2.3-beta.4"));
  put("d/agent", says("9.9.9"));
  expect(await found("agent", "a", "b", "c", "d")).toMatchObject({
    path: file,
    version: "1.2.3-beta.4",
    folders: expect.arrayContaining([join(base, "c")]),
  });
});

test("nothing in the work tree is found or run, by whatever way", async () => {
  const owned = join(base, "owned");
  const file = put("tree/bin/agent", `#!/bin/sh\necho 1.0.0 > ${owned}\necho 1.0.0\n`);
  mkdirSync(join(base, "links"));
  symlinkSync(file, join(base, "links/agent"));
  symlinkSync(join(tree, "bin"), join(base, "linked-folder"));
  put("scripts/script", `#!${file}\n`);
  for (const folder of ["tree/bin", "links", "linked-folder"]) {
    expect(await find("agent", folder)).toEqual({ missing: "agent is not on the PATH" });
  }
  expect(await find(file)).toHaveProperty("missing");
  expect(await find("script", "scripts")).toHaveProperty("missing");
  expect(existsSync(owned)).toBe(false);
});

test("a link out of the work tree is not followed either", async () => {
  put("outside/agent", says("1.0.0"));
  mkdirSync(join(tree, "bin"));
  symlinkSync(join(base, "outside/agent"), join(tree, "bin/agent"));
  expect(await find("agent", "tree/bin")).toHaveProperty("missing");
});

test("relative paths and relative entries of the PATH are not looked at", async () => {
  expect(await find("./agent")).toEqual({
    missing: "./agent is a relative path: expected a name or an absolute path",
  });
  put("here/agent", says("1.0.0"));
  const before = process.cwd();
  const search = { path: ["", ".", "here"].join(delimiter), home, untrusted: [] };
  try {
    process.chdir(join(base, "here"));
    expect(await findProgram("agent", search)).toHaveProperty("missing");
  } finally {
    process.chdir(before);
  }
});

test("a script's interpreter is found now, so that no other PATH can change it", async () => {
  const file = put("bin/agent", "#!/usr/bin/env -S node --no-warnings\nconsole.log('v3.2.1')\n");
  const node = realpathSync(process.execPath);
  expect(await found("agent", "bin")).toEqual({
    path: file,
    argv: [node, "--no-warnings", file],
    version: "3.2.1",
    folders: [join(base, "bin"), dirname(node)],
  });
  put("bin/other", "#!/usr/bin/env no-such-interpreter\n");
  expect(await find("other", "bin")).toEqual({
    missing: `${join(base, "bin/other")} needs no-such-interpreter, which was not found`,
  });
});

test("a package of npm's is shown alone when it holds all that it needs", async () => {
  const file = put("lib/node_modules/@maker/agent/cli.js", "#!/usr/bin/env node\n");
  put("lib/node_modules/@maker/agent/package.json", '{"dependencies":{"dep":"1"}}');
  put("lib/node_modules/@maker/agent/node_modules/dep/package.json", "{}");
  put("lib/node_modules/unrelated/package.json", "{}");
  mkdirSync(join(base, "bin"));
  symlinkSync(file, join(base, "bin/agent"));
  const { path, folders } = await found("agent", "bin");
  expect(path).toBe(file);
  expect(folders[0]).toBe(join(base, "lib/node_modules/@maker/agent"));
});

test("a package of npm's is shown with its neighbours when it needs one of them", async () => {
  put("p/node_modules/agent/cli.js", "#!/usr/bin/env node\n");
  put("p/node_modules/agent/package.json", '{"optionalDependencies":{"dep":"1","missing":"1"}}');
  put("p/node_modules/dep/package.json", "{}");
  mkdirSync(join(base, "p/node_modules/.bin"));
  symlinkSync("../agent/cli.js", join(base, "p/node_modules/.bin/agent"));
  expect((await found("agent", "p/node_modules/.bin")).folders[0]).toBe(
    join(base, "p/node_modules"),
  );
});

test("a description that is no JSON asks for nothing", async () => {
  put("p/node_modules/agent/cli.js", "#!/usr/bin/env node\n");
  put("p/node_modules/agent/package.json", "{");
  const file = join(base, "p/node_modules/agent/cli.js");
  expect((await found(file)).folders[0]).toBe(dirname(file));
});

test("a program that lies in the home itself does not show the home", async () => {
  const file = put("home/agent", says("1.0.0"));
  const { folders } = await found(file);
  expect(folders).toContain(file);
  expect(folders).not.toContain(home);
  const above = put("agent", says("1.0.0"));
  expect((await found(above)).folders).not.toContain(base);
});

test("a virtual environment of Python is started by its own link and shown with what is behind it", async () => {
  put("python/bin/python3", "#!/bin/sh\necho 3.3.3\n");
  put("venv/pyvenv.cfg", "");
  mkdirSync(join(base, "venv/bin"), { recursive: true });
  symlinkSync(join(base, "python/bin/python3"), join(base, "venv/bin/python"));
  const file = put("venv/bin/agent", `#!${join(base, "venv/bin/python")}\n`);
  const { argv, folders } = await found(file);
  expect(argv).toEqual([join(base, "venv/bin/python"), file]);
  expect(folders).toEqual([join(base, "venv"), join(base, "python")]);
});

test("a program that does not answer, answers without end or has no number is found all the same", async () => {
  const hangs = put("bin/hangs", "#!/bin/sh\nsleep 1000 &\nwait\n");
  const began = Date.now();
  expect(await askVersion([hangs], "/bin:/usr/bin", 300)).toBeUndefined();
  expect(Date.now() - began).toBeLessThan(10_000);
  put("bin/floods", "#!/bin/sh\nexec yes no number\n");
  put("bin/silent", "#!/bin/sh\n");
  put("bin/broken", "\x7fELF no program");
  for (const name of ["floods", "silent", "broken"]) {
    expect((await found(name, "bin")).version).toBeUndefined();
  }
});

test("a program that is asked for its version sees nothing of the caller's", async () => {
  put("bin/agent", '#!/bin/sh\n[ -z "$SECRET" ] && [ "$PWD" = / ] && echo "1.0.0"\n');
  process.env["SECRET"] = "x";
  try {
    expect((await found("agent", "bin")).version).toBe("1.0.0");
  } finally {
    delete process.env["SECRET"];
  }
});

test("what a project names by its path is not run to look at it, and its folder is not shown", async () => {
  const mark = join(base, "ran");
  const file = put("private/agent", `#!/bin/sh\ntouch ${mark}\necho 1.0.0\n`);
  put("private/secret", "mine");
  const { version, folders } = await found(file);
  expect(version).toBeUndefined();
  expect(existsSync(mark)).toBe(false);
  expect(folders).toContain(file);
  expect(folders).not.toContain(dirname(file));
});

test("of several on the PATH, one that a sandbox can see is taken; else the first is named", async () => {
  const first = put("a/agent", says("1.0.0"));
  const second = put("b/agent", says("2.0.0"));
  const path = [join(base, "a"), join(base, "b"), "/bin"].join(delimiter);
  const search = { path, home, untrusted: [tree] };
  const seen = await findProgram("agent", { ...search, isSeen: (file) => file !== first });
  expect(seen).toMatchObject({ path: second, version: "2.0.0" });
  expect(await findProgram("agent", { ...search, isSeen: () => false })).toMatchObject({
    path: first,
  });
});

test("the same program is asked for its version once, and another under its name anew", async () => {
  const mark = join(base, "asked");
  const counts = (version: string) => `#!/bin/sh\necho once >> ${mark}\necho ${version}\n`;
  put("bin/agent", counts("1.0.0"));
  expect((await found("agent", "bin")).version).toBe("1.0.0");
  expect((await found("agent", "bin")).version).toBe("1.0.0");
  expect(readFileSync(mark, "utf8")).toBe("once\n");
  put("bin/agent", counts("2.0.0"));
  expect((await found("agent", "bin")).version).toBe("2.0.0");
});
