import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type PullKind, relayedCommand, trustEnvironment } from "../../src/egress/index.ts";
import { DockerEngine } from "../../src/sandbox/docker/index.ts";
import {
  BUILDABLE,
  type Buildable,
  buildEnvironment,
  openEnvironment,
  packagesOf,
} from "../../src/sandbox/environment/index.ts";
import { BwrapEngine, type Engine, type RootFiles } from "../../src/sandbox/index.ts";
import { pullScript, registryAnswer, rulesFor, WORD } from "../egress/loopback-registry.ts";
import { closedFolder, HOST, openWorld } from "../egress/world.ts";
import { temporaryFolder } from "../fake/sandbox.ts";
import { attempt } from "../sandbox/attempt.ts";
import { startDaemon } from "../sandbox/docker/daemon.ts";

const BUILD_MS = 1_800_000;
const EGRESS = "/run/sworn/egress";
/** What toolchains need, and more than an attempt gets by itself. */
const LIMITS = { memory_bytes: 2 ** 31, step_seconds: 300 };

/** Something real to do in each environment; its last line is what has to come out. */
const USES: Readonly<Record<Buildable, string>> = {
  base: "git --version && curl --version && jq --version && socat -V >/dev/null && whoami",
  node: `npm --version && mkdir own && echo 'module.exports = () => "chorus"' > own/index.js
    node -e 'console.log(require("./own")())'`,
  python: `python3 -m venv v && v/bin/pip --version && printf 'def test_it():\\n    assert 1 + 1 == 2\\n' > test_it.py
    python3 -m pytest -q test_it.py && v/bin/python -c 'import ssl, sqlite3; print("chorus")'`,
  rust: `cargo init -q --vcs none --name own . && echo 'fn main() { println!("chorus"); }' > src/main.rs
    cargo fmt && cargo clippy -q --offline && rustc -o own src/main.rs && ./own && cargo run -q --offline`,
  go: `printf 'module own\\n' > go.mod && printf 'package main\\n\\nimport "fmt"\\n\\nfunc main() { fmt.Println("chorus") }\\n' > main.go
    go vet . && go build -o built . && ./built`,
  java: `echo 'class Own { public static void main(String[] a) { System.out.println("chorus"); } }' > Own.java
    mvn -v >/dev/null && javac Own.java && java -cp . Own`,
  cpp: `printf '#include <iostream>\\nint main() { std::cout << "chorus" << std::endl; }\\n' > own.cpp
    printf 'cmake_minimum_required(VERSION 3.13)\\nproject(own CXX)\\nadd_executable(own own.cpp)\\n' > CMakeLists.txt
    g++ -o first own.cpp && ./first && clang++ -o second own.cpp && ./second && cmake -G Ninja -B b . >/dev/null && ninja -C b >/dev/null
    valgrind -q ./first && b/own`,
};
const PULLS: Partial<Record<Buildable, PullKind>> = { node: "npm", python: "pip", go: "go" };

const lastLine = (text: string): string | undefined => text.trim().split("\n").at(-1);

async function uses(engine: Engine, root: RootFiles, name: Buildable): Promise<void> {
  const { out, err, code } = await attempt(engine, root, ["sh", "-ec", USES[name]], LIMITS);
  expect([name, lastLine(out), code, err]).toEqual([name, "chorus", 0, expect.any(String)]);
}

/** Gets a package from a registry, as a pull phase lets a task do it. */
async function pulls(engine: Engine, root: RootFiles, kind: PullKind): Promise<void> {
  const parent = closedFolder();
  chmodSync(parent, 0o711);
  const socketFolder = join(parent, "egress");
  mkdirSync(join(socketFolder, "home"), { recursive: true, mode: 0o755 });
  chmodSync(socketFolder, 0o700);
  const world = await openWorld({
    answer: registryAnswer(),
    rules: (port) => rulesFor(kind, `https://${HOST}:${port}`).rules,
    proxy: { socketFolder },
  });
  if (engine.owner) chownSync(socketFolder, engine.owner.uid, engine.owner.gid);
  const origin = `https://${HOST}:${world.port}`;
  const trust = trustEnvironment(`${EGRESS}/ca.pem`, 3_128);
  const { env, files } = rulesFor(kind, origin);
  const inHome = Object.entries(files).map(([path, text]) => [`${EGRESS}/home/${path}`, text]);
  const all = { ...trust.files, [`${EGRESS}/ca.pem`]: world.authority.certificatePem };
  for (const [path = "", text = ""] of [...Object.entries(all), ...inHome]) {
    const target = join(socketFolder, path.slice(EGRESS.length));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
  const script = ["sh", "-ec", pullScript(kind, origin)];
  const argv = relayedCommand(`${EGRESS}/egress.sock`, 3_128, script, `${EGRESS}/home`);
  const mounts = [{ source: socketFolder, target: EGRESS, isWritable: false }];
  const more = { env: { ...trust.env, ...env }, mounts };
  const { out, err } = await attempt(engine, root, argv, LIMITS, undefined, more);
  expect([kind, lastLine(out), err]).toEqual([kind, WORD, expect.any(String)]);
  expect(world.log.map(({ verdict }) => verdict)).toContain("allowed");
}

test.each(BUILDABLE)(
  "%s is built twice with the same digest, and its tools work",
  async (name) => {
    const folder = temporaryFolder();
    // Bubblewrap started by root looks for the environment as somebody else.
    chmodSync(folder, 0o755);
    const state = join(folder, "state");
    const begun = performance.now();
    const one = await buildEnvironment(name, { state });
    const seconds = Math.round((performance.now() - begun) / 1_000);
    const other = await buildEnvironment(name, { state: join(folder, "other") });
    expect(other.digest).toBe(one.digest);
    rmSync(join(folder, "other"), { recursive: true });
    const names = one.packages.map((installed) => installed.name);
    expect(names).toEqual(expect.arrayContaining(packagesOf(name)));

    const { root: path } = await openEnvironment(state, name, { isThorough: true });
    expect(readFileSync(join(path, "etc/passwd"), "utf8")).toContain("chorus:x:1000:1000");
    const size = execFileSync("du", ["-sm", path]).toString().split("\t")[0];
    console.log(`${name}: ${seconds} s, ${size} MiB, ${names.length} packages`);
    const root = { kind: "folder", path, digest: one.digest } as const;
    const bwrap = new BwrapEngine();
    await uses(bwrap, root, name);
    const kind = PULLS[name];
    if (kind !== undefined) await pulls(bwrap, root, kind);
    if (name !== "base" && name !== "python") return;
    const daemon = await startDaemon();
    onTestFinished(() => daemon.stop());
    await uses(new DockerEngine({ host: `unix://${daemon.socket}`, state }), root, name);
  },
  BUILD_MS,
);
