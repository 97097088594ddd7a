import { execFileSync, spawnSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { Manifest } from "../../src/schema/manifest.ts";
import { SWORN, start, sworn } from "../fake/child.ts";
import { temporaryFolder } from "../fake/sandbox.ts";
import { verifies } from "../verifies.ts";

let project = "";
let own = "";

beforeEach(() => {
  own = temporaryFolder();
  project = join(own, "project");
  mkdirSync(project);
  writeFileSync(join(project, "hello.txt"), "hello\n");
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.org", ...args], {
      cwd: project,
    });
  git("init", "--quiet");
  git("add", "-A");
  git("commit", "--quiet", "--message", "first");
});

/** The user's own settings come along: where the registry is, and which certificates are trusted. */
const call = async (args: readonly string[], env: Record<string, string> = {}) => {
  const place = { project, state: join(own, "state") };
  const { code, out, err } = await sworn(place, args, { env });
  return { code, stdout: out, stderr: err };
};
const run = (...args: string[]) => call(["exec", "--report", join(own, "report.json"), ...args]);
const report = () => JSON.parse(readFileSync(join(own, "report.json"), "utf8"));
const inTrace = (...args: string[]) => call(args);

verifies(
  "004-18",
  "a command reads its input, leaves its output, and its exit code is passed on",
  async () => {
    const out = join(own, "result");
    const script = "cat $WORKSPACE_INPUT/hello.txt; echo made > $WORKSPACE_OUTPUT/made.txt; exit 7";
    const { code, stdout } = await run("--out", out, "--", "sh", "-c", script);
    expect([code, stdout]).toEqual([7, "hello\n"]);
    expect(readFileSync(join(out, "made.txt"), "utf8")).toBe("made\n");
    const { exit, manifest, trace, egress, refused } = report();
    expect([exit, egress, refused]).toEqual([7, [], undefined]);
    expect(Manifest.parse(manifest).output.map(({ path }) => path)).toEqual(["made.txt"]);
    expect((await inTrace("verify", trace)).code).toBe(0);
  },
);

test("a program that is not in the sandbox is told where a task finds its programs", async () => {
  const { code, stderr } = await run("--", "no-such-program");
  expect([code, stderr]).toEqual([127, expect.stringContaining("nothing of a home folder")]);
  expect((await run("--", "sh", "-c", "exit 1")).stderr).not.toContain("home folder");
});

test("nothing of a run is left behind, whether it ends or is ended", async () => {
  const env = { SWORN_STATE_DIR: join(own, "state") };
  const begin = (script: string) =>
    start(process.execPath, [SWORN, "exec", "--", "sh", "-c", script], { cwd: project, env });
  // By its process: other runs of this machine come and go meanwhile.
  const leftBy = ({ process: { pid } }: ReturnType<typeof begin>) =>
    readdirSync(tmpdir()).filter((name) => name.startsWith(`sworn-run-${pid}-`)).length;
  const whole = begin("echo x > /workspace/data/x");
  expect([(await whole.ended).code, leftBy(whole)]).toEqual([0, 0]);
  const cut = begin("echo x > /workspace/data/x; echo began; sleep 100");
  await cut.said("began");
  expect(leftBy(cut)).toBe(1);
  cut.process.kill("SIGINT");
  await cut.ended;
  expect(leftBy(cut)).toBe(0);
});

verifies(
  "004-42",
  "an upload is refused before anything starts, and the refusal is on record",
  async () => {
    const { code, stderr } = await run("--", "sh", "-c", "git push origin main");
    expect([code, stderr]).toEqual([3, expect.stringContaining("refused by F.3")]);
    const { refused, trace, manifest } = report();
    expect([refused.rule, manifest]).toEqual(["F.3", null]);
    const { stdout } = await inTrace("trace", "show", trace);
    expect(stdout).toContain("intent_status=blocked");
    expect(stdout).not.toContain("tool_execution_started");
  },
);

verifies(
  "004-75",
  "a run that leaves a secret behind does not count, and nothing is copied",
  async () => {
    const out = join(own, "result");
    const key = `-----BEGIN ${"PRIVATE KEY"}-----`;
    const { code } = await run(
      "--out",
      out,
      "--",
      "sh",
      "-c",
      `echo '${key}' > /workspace/output/.env`,
    );
    expect(code).toBe(3);
    expect(report().refused.rule).toBe("W.2");
    expect(existsSync(out)).toBe(false);
    expect((await inTrace("verify", report().trace)).code).toBe(0);
  },
);

verifies("004-59", "a task that takes too long is ended, and says by what", async () => {
  const { code, stderr } = await run("--timeout", "1", "--", "sleep", "100");
  expect([code, stderr]).toEqual([124, expect.stringContaining("ended by step_seconds")]);
  expect(report().manifest.exit.limit).toBe("step_seconds");
});

test("a flood of output ends the task and is not kept", async () => {
  const { code } = await run("--", "sh", "-c", "yes | head -c 100000000");
  expect(code).toBe(124);
  expect(report().manifest.exit.limit).toBe("stream_bytes");
});

verifies("004-60", "two runs of one command see one world and give the same bytes", async () => {
  const script =
    "env | sort > /workspace/output/env; date > /workspace/output/../data/now; echo $CHORUS_SEED";
  const first = await run("--seed", "42", "--", "sh", "-c", script);
  const one = report().manifest;
  await run("--seed", "42", "--", "sh", "-c", script);
  const two = report().manifest;
  expect(first.stdout).toBe("42\n");
  expect(two.output).toMatchObject(
    one.output.map(({ sha256 }: { sha256: string }) => ({ sha256 })),
  );
  expect(one).toMatchObject({ timezone: "UTC", locale: "C.UTF-8", seed: "42" });
  expect(one.source_date_epoch).toBeGreaterThan(1_700_000_000);
});

test("a command starts in a copy of the files that it may change, and what is not committed is said", async () => {
  writeFileSync(join(project, "hello.txt"), "changed\n");
  const script = "cat hello.txt; echo more >> hello.txt; cat /workspace/input/hello.txt; pwd";
  const { stdout, stderr } = await run("--", "sh", "-c", script);
  expect(stdout).toBe("hello\nhello\n/workspace/data/tree\n");
  expect(stderr).toContain(
    "changed and not committed, so the input has the committed ones: hello.txt",
  );
});

test("a command starts where its caller stands, if the commit has that folder", async () => {
  const place = join(project, "tools/it's $HOME");
  mkdirSync(place, { recursive: true });
  const from = (args: readonly string[]) =>
    sworn({ project: place, state: join(own, "state") }, ["exec", ...args]);
  const early = await from(["--", "pwd"]);
  expect(early.out).toBe("/workspace/data/tree\n");
  expect(early.err).toContain(
    "the commit has no file in tools/it's $HOME, so the command starts at",
  );
  writeFileSync(join(place, "Makefile"), "test:\n\t@echo found\n");
  for (const args of [
    ["add", "-A"],
    ["commit", "--quiet", "--message", "second"],
  ]) {
    const who = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
    execFileSync("git", [...who, ...args], { cwd: project });
  }
  const path = join(own, "own.json");
  const ran = await from(["--report", path, "--", "sh", "-c", "make test; pwd"]);
  expect(ran.out).toBe("found\n/workspace/data/tree/tools/it's $HOME\n");
  const { manifest } = JSON.parse(readFileSync(path, "utf8"));
  expect(manifest.cwd).toBe("/workspace/data/tree/tools/it's $HOME");
  const again = await run("--reproduce", "latest");
  expect(again.code).toBe(0);
  expect(again.stdout).toContain(ran.out);
});

test("nothing of the caller's own environment comes along", async () => {
  const { stdout } = await call(["exec", "--", "env"], { SECRET_OF_MINE: "x" });
  expect(stdout).not.toContain("SECRET_OF_MINE");
  expect(stdout).not.toContain("SWORN_STATE_DIR");
});

/** A dependency with one of its own, pinned. */
function commitLockfile(): void {
  const manifest = { name: "p", version: "1.0.0", dependencies: { "is-odd": "3.0.1" } };
  writeFileSync(join(project, "package.json"), JSON.stringify(manifest));
  execFileSync("npm", ["install", "--package-lock-only", "--no-audit", "--no-fund"], {
    cwd: project,
    stdio: "ignore",
  });
  const git = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
  execFileSync("git", [...git, "add", "-A"], { cwd: project });
  execFileSync("git", [...git, "commit", "--quiet", "--message", "lock"], { cwd: project });
}

test("what a lockfile pins is installed first, and the command then finds no way out at all", async () => {
  commitLockfile();
  const script = [
    `node -e 'console.log(require("is-odd")(3))'`,
    "ls /run/sworn/egress/*.sock 2>/dev/null | wc -l",
    "npm view is-odd version --fetch-retries 0 >/dev/null 2>&1 || echo no way",
    "cp package.json /workspace/output/",
  ].join("\n");
  const { code, stdout } = await run("--install", "--", "sh", "-c", script);
  expect(code).toBe(0);
  expect(stdout).toBe("true\n0\nno way\n");
  const { manifest, trace } = report();
  expect(manifest).toMatchObject({ egress_used: "pull-only", exit: { code: 0 } });
  expect(manifest.install.join(" ")).toContain("npm ci");
  expect(await run("--reproduce", trace)).toMatchObject({ code: 0 });
});

test("an installation that fails is all that runs", async () => {
  commitLockfile();
  const other = JSON.stringify({
    name: "p",
    version: "1.0.0",
    dependencies: { "is-odd": "2.0.0" },
  });
  writeFileSync(join(project, "package.json"), other);
  const git = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
  execFileSync("git", [...git, "commit", "--all", "--quiet", "--message", "x"], { cwd: project });
  const { code, stdout, stderr } = await run("--install", "--", "echo", "never");
  expect([code, stdout.includes("never")]).toEqual([1, false]);
  expect(stderr).toContain("the installation failed, so the command was not run");
});

verifies(
  "004-48",
  "a pinned install works inside, nothing else can be reached, and the log of it is on record",
  async () => {
    commitLockfile();
    const script = [
      "cp -r /workspace/input/. . && npm ci >/dev/null && ls node_modules",
      `node -e 'require("is-odd"); fetch("https://example.org").then(() => console.log("reached"), () => console.log("no way"))'`,
      "npm view left-pad version >/dev/null 2>&1 || echo not pinned",
      "curl -sf -m 5 http://1.1.1.1 >/dev/null || echo no address",
    ].join("\n");
    const { code, stdout, stderr } = await run(
      "--pull",
      "npm",
      "--pinned",
      "--",
      "sh",
      "-c",
      script,
    );
    expect([code, stderr.includes("refused (")]).toEqual([0, true]);
    expect(stdout.trim().split("\n")).toEqual([
      "is-number",
      "is-odd",
      "no way",
      "not pinned",
      "no address",
    ]);
    const { egress, manifest: written } = report();
    expect(written.egress_used).toBe("pull-only");
    const { stdout: told } = await inTrace(
      "trace",
      "show",
      report().trace,
      "6",
      "--artifact",
      "egress.jsonl",
    );
    const lines = told
      .trim()
      .split("\n")
      .map((line) => Object.keys(JSON.parse(line)).toSorted());
    expect(new Set(lines.flat())).toEqual(
      new Set([
        "bytesIn",
        "bytesOut",
        "endedAt",
        "host",
        "method",
        "rule",
        "startedAt",
        "status",
        "verdict",
      ]),
    );
    expect(
      egress.filter(({ verdict }: { verdict: string }) => verdict === "allowed").length,
    ).toBeGreaterThan(1);
    expect(Object.keys(egress[0]).toSorted()).toEqual(
      expect.arrayContaining([
        "bytes_in",
        "bytes_out",
        "domain",
        "ended_at",
        "method",
        "started_at",
      ]),
    );
  },
);

test("a pull phase without a configured registry names the setting", async () => {
  const empty = { HOME: own, CARGO_HOME: own };
  const { code, stderr } = await call(["exec", "--pull", "cargo", "--", "true"], empty);
  expect([code, stderr]).toEqual([2, expect.stringContaining("--pull cargo")]);
});

test("an output folder that is not empty is not written to", async () => {
  const { code, stderr } = await run("--out", project, "--", "true");
  expect([code, stderr]).toEqual([3, expect.stringContaining("not empty")]);
});

test("the doctor names what each engine can do", async () => {
  const { code, stdout } = await inTrace("doctor", "--json");
  expect(code).toBe(0);
  expect(JSON.parse(stdout).engines).toMatchObject([
    { engine: "bwrap", refusals: [] },
    { engine: "docker" },
  ]);
  expect(JSON.parse(stdout).roles).toContainEqual({ role: "worker", agent: null, by: null });
});

test("the doctor does not take a role for filled whose agent is nobody", async () => {
  const path = join(project, "sworn.yaml");
  writeFileSync(path, "roles: { worker: ghost }\n");

  const { code, stdout } = await call(["doctor"]);
  expect(code).toBe(3);
  expect(stdout).toContain("roles.worker in sworn.yaml names ghost, and there is no such agent");
});

verifies("004-81", "a run is run again from its manifest, and every hash is compared", async () => {
  await run("--", "sh", "-c", "cat /workspace/input/hello.txt > /workspace/output/same");
  const again = await call(["exec", "--reproduce", report().trace]);
  expect([again.code, again.stdout]).toEqual([0, expect.stringContaining("Reproduced: 1 file")]);
  await run("--", "sh", "-c", "head -c 16 /dev/urandom > /workspace/output/other");
  const other = await run("--reproduce", report().trace);
  expect([other.code, other.stdout]).toEqual([4, expect.stringContaining("content other")]);
  expect(report().comparison.isReproduced).toBe(false);
});

test("a manifest that was changed is not run again", async () => {
  await run("--", "true");
  const { manifest_path, trace } = report();
  const text = readFileSync(manifest_path, "utf8").replace('"argv":["true"]', '"argv":["id"]');
  writeFileSync(manifest_path, text);
  const { code, stderr } = await call(["exec", "--reproduce", trace]);
  expect([code, stderr]).toEqual([4, expect.stringContaining("does not verify")]);
});

test("the parts of an environment are listed when it is first seen, and not again", async () => {
  const out = join(own, "first");
  await run("--out", out, "--", "true");
  const { sbom } = report().manifest;
  const document = JSON.parse(readFileSync(join(out, sbom.path), "utf8"));
  expect(document.spdxVersion).toBe("SPDX-2.3");
  expect(document.packages.length).toBeGreaterThan(50);
  await run("--out", join(own, "second"), "--", "true");
  expect(report().manifest.sbom).toBeNull();
});

test("the command's own options are its own, with two dashes and without", async () => {
  expect((await call(["exec", "echo", "--help", "--json"])).stdout).toBe("--help --json\n");
  expect((await call(["exec", "--seed", "7", "--", "echo", "--", "-x"])).stdout).toBe("-- -x\n");
  expect((await call(["exec", "--nonsense", "echo"])).code).toBe(2);
  expect((await call(["exec"])).stderr).toContain("sworn exec -- make test");
});

test("--json has the outcome alone on stdout, as --report writes it; what the command says is on stderr", async () => {
  const { code, stdout, stderr } = await run("--json", "--", "sh", "-c", "echo said; exit 7");
  expect([code, stderr]).toEqual([7, expect.stringContaining("said\n")]);
  expect(JSON.parse(stdout)).toEqual(report());
  expect(report()).toMatchObject({ exit: 7, manifest: { output: [] } });
});

test("an --out that is a file, or lies below one, is named with what to do", async () => {
  for (const out of ["hello.txt", "hello.txt/below"]) {
    const { code, stderr } = await run("--out", join(project, out), "--", "true");
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/hello\.txt is a file; expected .*folder.*; name another/),
    ]);
  }
});

test("Ctrl-C ends the task, and leaves a whole record and nothing else", async () => {
  const child = start(
    process.execPath,
    [SWORN, "exec", "--", "sh", "-c", "echo began; sleep 100"],
    {
      cwd: project,
      env: { SWORN_STATE_DIR: join(own, "state") },
    },
  );
  await child.said("began");
  child.process.kill("SIGINT");
  const { code, err } = await child.ended;
  expect([code, err]).toEqual([130, expect.stringContaining("the task was cancelled")]);
  const { stdout } = await inTrace("trace", "show", "latest");
  expect(stdout).toContain("session_aborted");
  expect((await inTrace("verify", "latest")).code).toBe(0);
});

test("more files than can be looked at do not count, and links among them are named", async () => {
  const many = "i=0; while [ $i -lt 10005 ]; do : > $WORKSPACE_OUTPUT/$i; i=$((i+1)); done";
  const out = join(own, "result");
  const { code } = await run("--out", out, "--", "sh", "-c", many);
  expect([code, report().refused.rule, existsSync(out)]).toEqual([3, "X.1", false]);
  await run("--", "sh", "-c", "ln -s /etc/passwd $WORKSPACE_OUTPUT/link");
  expect(report().manifest.refused).toMatchObject([{ path: "link" }]);
});

verifies("004-25", "a task finds its folders by name", async () => {
  const names = ["ROOT", "INPUT", "DATA", "OUTPUT"].map((name) => `$WORKSPACE_${name}`);
  const { stdout } = await run("--", "sh", "-c", `echo ${names.join(" ")}; cd $WORKSPACE_DATA`);
  expect(stdout).toBe("/workspace /workspace/input /workspace/data /workspace/output\n");
});

verifies("004-73", "scratch is empty at every start", async () => {
  const look = [
    "sh",
    "-c",
    "ls -A /workspace/data /tmp | wc -l; echo x > /workspace/data/x; echo x > /tmp/x",
  ];
  expect((await run("--", ...look)).stdout).toBe((await run("--", ...look)).stdout);
});

test("standard input is a pipe or a copy, and never a way out", async () => {
  const through = async (stdin: string, script: string) => {
    const fd = openSync(stdin, "r");
    const child = spawnSync(process.execPath, [SWORN, "exec", "--", "sh", "-c", script], {
      cwd: project,
      env: { ...process.env, SWORN_STATE_DIR: join(own, "state") },
      stdio: [fd, "pipe", "ignore"],
      encoding: "utf8",
    });
    closeSync(fd);
    return child.stdout;
  };
  const file = join(own, "given.txt");
  writeFileSync(file, "given\n", { mode: 0o666 });
  expect(await through(file, "cat; echo x > /proc/self/fd/0; true")).toBe("given\n");
  expect(readFileSync(file, "utf8")).toBe("given\n");
  expect(await through(own, "ls /proc/self/fd/0/.. 2>/dev/null; true")).toBe("");
});

test("a manifest is run again for its own trace alone, and not where something was taken out", async () => {
  await run("--", "sh", "-c", "echo a > /workspace/output/a");
  const first = report();
  await run("--", "sh", "-c", "echo b > /workspace/output/b");
  const second = report();
  for (const name of ["manifest.json", "manifest.note"]) {
    const from = join(second.manifest_path, "..", name);
    writeFileSync(join(first.manifest_path, "..", name), readFileSync(from));
  }
  const swapped = await call(["exec", "--reproduce", first.trace]);
  expect([swapped.code, swapped.stderr]).toEqual([
    4,
    expect.stringContaining("not the one on its record"),
  ]);
  const key = `AKIA${"QYLPMN5HHHFPZAM2"}`;
  await run("--", "echo", key);
  const again = await call(["exec", "--reproduce", report().trace]);
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining("cannot be run again")]);
});

test("a commit cannot make a task read or write elsewhere", async () => {
  const secret = join(own, "secret.txt");
  writeFileSync(secret, "name-of-a-secret==1.0\n");
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: project, encoding: "utf8" }).trim();
  symlinkSync(secret, join(project, "requirements.txt"));
  symlinkSync(own, join(project, "away"));
  git("add", "-A");
  git(
    "-c",
    "user.name=a",
    "-c",
    "user.email=a@example.org",
    "commit",
    "--quiet",
    "--message",
    "links",
  );
  const out = join(own, "result");
  expect((await run("--out", out, "--", "true")).code).toBe(0);
  const [parts = ""] = readdirSync(out).filter((name) => name.endsWith(".spdx.json"));
  expect(readFileSync(join(out, parts), "utf8")).not.toContain("name-of-a-secret");
});
