import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SWORN } from "../fake/child.ts";
import { ExecProject } from "../fake/exec-project.ts";

/** Something that looks like a token, put together here so that nobody takes it for one. */
const SECRET = ["ghp", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"].join("_");

/** Everything that is on record in a project. */
function onRecord(at: ExecProject): string {
  const store = join(at.project, ".sworn");
  const files = execFileSync("find", [store, "-type", "f"]).toString().trim().split("\n");
  return files.map((path) => readFileSync(path, "latin1")).join("\n");
}

test("an installation neither reads what is meant for the command nor prints in its name", () => {
  const at = new ExecProject();
  const speak = "for one in /proc/[0-9]*/fd/1; do echo forged > $one; done 2>/dev/null";
  const scripts = { preinstall: `cat; ${speak}; true` };
  const own = { name: "p", version: "1.0.0" };
  const lock = { ...own, lockfileVersion: 3, requires: true, packages: { "": own } };
  at.commit({
    "package.json": JSON.stringify({ ...own, scripts }),
    "package-lock.json": JSON.stringify(lock),
  });
  // From a shell, whose pipes are pipes; those that Node makes are sockets, which no task is given.
  const command = `echo for the command | "$0" "$1" exec --install -- cat`;
  const printed = execFileSync("sh", ["-c", command, process.execPath, SWORN], {
    cwd: at.project,
    env: { ...process.env, SWORN_STATE_DIR: at.state },
    stdio: ["ignore", "pipe", "ignore"],
  });
  expect(printed.toString()).toBe("for the command\n");
}, 60_000);

test("of a secret that stands where a record is cut off, no half stays in it", async () => {
  const at = new ExecProject();
  const before = 262_144 - 20;
  const script = `head -c ${before} /dev/zero | tr '\\0' '\\n'; cat $WORKSPACE_INPUT/token`;
  at.commit({ token: `${SECRET}\n` });
  await at.run("--", "sh", "-c", script);
  const long = `: ${"x".repeat(1_999 - 15 - "sh -c : ".length)} ${SECRET}`;
  await at.run("--", "sh", "-c", long);
  expect(onRecord(at)).not.toContain(SECRET.slice(0, 12));
}, 60_000);

test("input that cannot be handed on is not left out in silence", () => {
  const at = new ExecProject();
  const { stderr, stdout } = spawnSync(process.execPath, [SWORN, "exec", "--", "cat"], {
    cwd: at.project,
    env: { ...process.env, SWORN_STATE_DIR: at.state },
    // What Node makes for this is a socket.
    input: "for the command\n",
  });
  expect(stdout.toString()).toBe("");
  expect(stderr.toString()).toContain("standard input is a socket, which no task is given");
}, 60_000);
