import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readAptSources } from "../../../src/sandbox/environment/apt-sources.ts";
import {
  buildEnvironment,
  environmentsFolder,
  openEnvironment,
  packagesOf,
  readLocked,
  rootFolder,
} from "../../../src/sandbox/environment/index.ts";
import { digestRoot, sealRoot } from "../../../src/sandbox/environment/listing.ts";
import { ownerOf } from "../../../src/sandbox/run-owner.ts";
import { temporaryFolder } from "../../fake/sandbox.ts";
import { verifies } from "../../verifies.ts";
import { installBusybox } from "./fixture.ts";

const built = async () => {
  const state = join(temporaryFolder(), "state");
  const environment = await buildEnvironment("base", { state, install: installBusybox });
  return { state, environment, root: rootFolder(state, environment.digest) };
};

test("the same packages give the same digest, whenever and wherever they are installed", async () => {
  const [one, other] = [await built(), await built()];
  expect(one.environment.digest).toBe(other.environment.digest);
  expect(one.environment.seal).not.toBe(other.environment.seal);
});

test("what differs from build to build, and what is the builder's own, is not in it", async () => {
  const { root } = await built();
  expect(existsSync(join(root, "etc/machine-id"))).toBe(false);
  expect(readdirSync(join(root, "etc/apt/sources.list.d"))).toEqual([]);
  expect(readdirSync(join(root, "var/log"))).toEqual([]);
});

verifies(
  "004-24",
  "every environment has the user chorus with uid 1000, and no way to another one",
  async () => {
    const { root } = await built();
    const passwd = readFileSync(join(root, "etc/passwd"), "utf8");
    expect(passwd).toContain("\nchorus:x:1000:1000::/home/chorus:/bin/sh\n");
    expect(readFileSync(join(root, "etc/group"), "utf8")).toContain("\nchorus:x:1000:\n");
    expect(readFileSync(join(root, "etc/shadow"), "utf8")).toContain("chorus:!:");
    expect(statSync(join(root, "etc/shadow")).mode & 0o777).toBe(0o600);
    expect(statSync(join(root, "home/chorus"))).toMatchObject({ uid: 1000, gid: 1000 });
  },
);

test("a program that would run as somebody else is made an ordinary one", async () => {
  const state = join(temporaryFolder(), "state");
  const { digest } = await buildEnvironment("base", {
    state,
    install: async (installation) => {
      await installBusybox(installation);
      chmodSync(join(installation.root, "usr/bin/su"), 0o6755);
    },
  });
  expect(statSync(join(rootFolder(state, digest), "usr/bin/su")).mode & 0o7777).toBe(0o755);
});

test("a root has places to mount on", async () => {
  const { root } = await built();
  const empty = ["workspace/input", "workspace/data", "workspace/output", "proc", "dev"];
  for (const folder of [...empty, "run/sworn/egress"]) {
    expect(readdirSync(join(root, folder))).toEqual([]);
  }
  expect(readFileSync(join(root, "run/sworn/launch"), "utf8")).toBe("");
});

test("it is written down with its packages and their versions", async () => {
  const { state, environment } = await built();
  expect(environment).toMatchObject({
    name: "base",
    digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    packages: [
      { name: "busybox-static", version: "1.0-1", architecture: "amd64" },
      { name: "zlib1g", version: "1.0-1", architecture: "amd64" },
    ],
  });
  expect(readLocked(state)).toEqual([environment]);
});

test("something that is neither folder, file nor link stops a build", async () => {
  const state = join(temporaryFolder(), "state");
  const install: typeof installBusybox = async (installation) => {
    await installBusybox(installation);
    execFileSync("mkfifo", [join(installation.root, "etc/pipe")]);
  };
  const building = buildEnvironment("base", { state, install });
  await expect(building).rejects.toThrow(/etc\/pipe is neither a folder, a file nor a link/);
  expect(readLocked(state)).toEqual([]);
  expect(readdirSync(environmentsFolder(state))).toEqual([]);
});

test("a build that fails leaves nothing behind, and one that was killed goes with the next", async () => {
  const state = join(temporaryFolder(), "state");
  const install = async ({ root }: { root: string }): Promise<void> => {
    mkdirSync(root);
    throw new Error("no space");
  };
  await expect(buildEnvironment("base", { state, install })).rejects.toThrow("no space");
  const all = environmentsFolder(state);
  const gone = ownerOf().replaceAll("/", ".").replace(/\d+$/, "1");
  mkdirSync(join(all, `.build.${gone}.abc`, "root"), { recursive: true });
  const mine = `.build.${ownerOf().replaceAll("/", ".")}.def`;
  mkdirSync(join(all, mine));
  await buildEnvironment("base", { state, install: installBusybox });
  expect(readdirSync(all).filter((name) => name.startsWith("."))).toEqual([mine]);
});

test("a build can be stopped", async () => {
  const state = join(temporaryFolder(), "state");
  const stopped = new AbortController();
  const install: typeof installBusybox = async (installation) => {
    await installBusybox(installation);
    for (let at = 0; at < 600; at += 1) writeFileSync(join(installation.root, `etc/${at}`), "");
    stopped.abort();
  };
  const building = buildEnvironment("base", { state, install, signal: stopped.signal });
  await expect(building).rejects.toMatchObject({ name: "AbortError" });
  expect(readdirSync(environmentsFolder(state))).toEqual([]);
});

test("an environment is found by its digest and by its name", async () => {
  const { state, environment, root } = await built();
  expect(await openEnvironment(state, "base")).toEqual({ environment, root });
  expect(await openEnvironment(state, environment.digest)).toEqual({ environment, root });
});

test("a name means the latest build of it", async () => {
  const { state } = await built();
  const clock = () => Date.parse("2100-01-01T00:00:00Z");
  const install: typeof installBusybox = async (installation) => {
    await installBusybox(installation);
    writeFileSync(join(installation.root, "etc/new"), "");
  };
  const newer = await buildEnvironment("base", { state, install, clock });
  expect((await openEnvironment(state, "base")).environment.digest).toBe(newer.digest);
});

verifies("004-54", "a tag, a name with a tag and a cut digest are refused", async () => {
  const { state, environment } = await built();
  const cut = environment.digest.slice(0, -1);
  for (const reference of [
    "base:latest",
    "latest",
    "example.org/base@latest",
    cut,
    "../base",
    "",
  ]) {
    await expect(openEnvironment(state, reference)).rejects.toMatchObject({
      code: "SANDBOX_REFUSED",
      message: expect.stringContaining("a tag can point somewhere else"),
    });
  }
});

test("what was never built is not found, with what to do about it", async () => {
  const { state } = await built();
  await expect(openEnvironment(state, "node")).rejects.toThrow(/run "sworn env build node"/);
  const other = `sha256:${"0".repeat(64)}`;
  await expect(openEnvironment(state, other)).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test.each<[string, (root: string) => void]>([
  ["a byte more", (root) => appendFileSync(join(root, "etc/hosts"), "\n")],
  [
    "another content of the same length and time",
    (root) => {
      const path = join(root, "etc/group");
      const { atime, mtime } = statSync(path);
      writeFileSync(path, readFileSync(path, "utf8").replace("1000", "1001"));
      utimesSync(path, atime, mtime);
    },
  ],
  ["a file more", (root) => writeFileSync(join(root, "etc/more"), "")],
  ["a file less", (root) => rmSync(join(root, "usr/bin/su"))],
  ["another mode", (root) => chmodSync(join(root, "usr/bin/su"), 0o4755)],
  ["another mode of the root itself", (root) => chmodSync(root, 0o777)],
  [
    "a link elsewhere",
    (root) => {
      rmSync(join(root, "usr/bin/true"));
      symlinkSync("sh", join(root, "usr/bin/true"));
    },
  ],
  [
    "a file in place of a folder",
    (root) => {
      rmSync(join(root, "tmp"), { recursive: true });
      writeFileSync(join(root, "tmp"), "");
    },
  ],
  [
    "two names exchanged",
    (root) => {
      renameSync(join(root, "etc/hosts"), join(root, "etc/x"));
      renameSync(join(root, "etc/group"), join(root, "etc/hosts"));
      renameSync(join(root, "etc/x"), join(root, "etc/group"));
    },
  ],
  ["nothing at all", (root) => rmSync(root, { recursive: true })],
])("with %s an environment is not used", async (_what, change) => {
  const { state, root } = await built();
  change(root);
  await expect(openEnvironment(state, "base")).rejects.toMatchObject({
    code: "ENVIRONMENT_CHANGED",
    message: expect.stringContaining('run "sworn env build base"'),
  });
});

test("a thorough look does not believe the seal", async () => {
  const { state, root, environment } = await built();
  appendFileSync(join(root, "etc/hosts"), "\n");
  const path = join(root, "..", "base.lock.json");
  const seal = await sealRoot(root);
  writeFileSync(path, JSON.stringify({ ...environment, seal }));
  await openEnvironment(state, "base");
  await expect(openEnvironment(state, "base", { isThorough: true })).rejects.toMatchObject({
    code: "ENVIRONMENT_CHANGED",
  });
});

test("a copy with the same content is sealed anew", async () => {
  const { state, root, environment } = await built();
  const copy = `${root}.copy`;
  execFileSync("cp", ["-a", root, copy]);
  rmSync(root, { recursive: true });
  renameSync(copy, root);
  const { environment: opened } = await openEnvironment(state, "base");
  expect(opened.seal).not.toBe(environment.seal);
  expect(readLocked(state)[0]?.seal).toBe(opened.seal);
});

test("building again repairs what was changed, and leaves alone what is sound", async () => {
  const { state, root, environment } = await built();
  const inode = statSync(root).ino;
  await buildEnvironment("base", { state, install: installBusybox });
  expect(statSync(root).ino).toBe(inode);
  writeFileSync(join(root, "etc/more"), "");
  await buildEnvironment("base", { state, install: installBusybox });
  expect((await openEnvironment(state, environment.digest)).root).toBe(root);
  expect(existsSync(join(root, "etc/more"))).toBe(false);
});

test("what was written down by somebody else is not believed", async () => {
  const { state, root } = await built();
  writeFileSync(join(root, "..", "base.lock.json"), '{"name":"base"}');
  expect(() => readLocked(state)).toThrow(/does not say what was built/);
});

test("links are listed, not followed", async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "root"));
  symlinkSync("/etc/passwd", join(folder, "root", "link"));
  const before = await digestRoot(join(folder, "root"));
  rmSync(join(folder, "root", "link"));
  symlinkSync("/etc/shadow", join(folder, "root", "link"));
  expect(await digestRoot(join(folder, "root"))).not.toBe(before);
  expect(readlinkSync(join(folder, "root", "link"))).toBe("/etc/shadow");
});

test("only the machine's own release is a source of packages", () => {
  const etc = temporaryFolder();
  mkdirSync(join(etc, "apt/sources.list.d"), { recursive: true });
  writeFileSync(join(etc, "os-release"), 'NAME="Debian"\nVERSION_CODENAME=bookworm\n');
  const list = [
    "# deb http://mirror.example.org/debian bookworm main",
    "deb [signed-by=/k.gpg] http://mirror.example.org/debian bookworm main",
    "deb-src http://mirror.example.org/debian bookworm main",
    "deb http://other.example.org/tools stable main",
  ];
  writeFileSync(join(etc, "apt/sources.list"), list.join("\n"));
  const stanzas = [
    "Types: deb\n# a comment\nURIs: http://mirror.example.org/debian\nSuites: bookworm bookworm-updates\nComponents: main",
    "Types: deb\nURIs: http://mirror.example.org/security\nSuites: bookworm-security\nComponents: main",
    "Types: deb\nURIs: http://other.example.org\nSuites: bookworm nodistro\nComponents: main",
    "Enabled: no\nTypes: deb\nURIs: http://off.example.org\nSuites: bookworm\nComponents: main",
    "Types: deb-src\nURIs: http://mirror.example.org/debian\nSuites: bookworm\nComponents: main",
  ];
  writeFileSync(join(etc, "apt/sources.list.d/a.sources"), stanzas.join("\n\n"));
  const found = readAptSources(etc);
  expect(found.suite).toBe("bookworm");
  expect(found.lines).toEqual([
    "deb [signed-by=/k.gpg] http://mirror.example.org/debian bookworm main",
  ]);
  expect(found.stanzas.map((text) => /URIs: (.*)/.exec(text)?.[1])).toEqual([
    "http://mirror.example.org/debian",
    "http://mirror.example.org/security",
  ]);
  expect(found.stanzas[0]).not.toContain("comment");
});

test("a machine without sources of its own cannot build", () => {
  const etc = temporaryFolder();
  expect(() => readAptSources(etc)).toThrow(/names no release/);
  writeFileSync(join(etc, "os-release"), "VERSION_CODENAME=bookworm\n");
  expect(() => readAptSources(etc)).toThrow(/no source of bookworm/);
});

test("each of the seven environments has its toolchain's packages", () => {
  expect(packagesOf("base")).toEqual(
    expect.arrayContaining(["ca-certificates", "git", "jq", "socat"]),
  );
  expect(packagesOf("node")).toEqual(expect.arrayContaining(["nodejs", "npm", "socat"]));
  expect(packagesOf("python")).toEqual(expect.arrayContaining(["python3", "python3-pytest"]));
  expect(packagesOf("rust")).toEqual(expect.arrayContaining(["rustc", "cargo", "rustfmt"]));
  expect(packagesOf("go")).toEqual(expect.arrayContaining(["golang-go"]));
  expect(packagesOf("java")).toEqual(expect.arrayContaining(["default-jdk-headless", "maven"]));
  expect(packagesOf("cpp")).toEqual(expect.arrayContaining(["build-essential", "cmake", "gdb"]));
});
