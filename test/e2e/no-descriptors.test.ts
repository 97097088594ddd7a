import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

/** What a call says in a process that has no descriptor left. */
function without(descriptors: string, module: string, call: string): string {
  const url = fileURLToPath(new URL(`../../dist/${module}`, import.meta.url));
  const script = `
    import { openSync } from "node:fs";
    import * as part from ${JSON.stringify(url)};
    process.on("uncaughtException", (error) => { console.log("crashed: " + error.message); process.exit(9); });
    try { for (;;) openSync("/dev/null", "r"); } catch {}
    ${call}`;
  const shell = `ulimit -n ${descriptors}; exec "$0" --input-type=module -e "$1"`;
  const said = execFileSync("sh", ["-c", shell, process.execPath, script], { encoding: "utf8" });
  return said.trim();
}

test("a git that cannot be started for want of descriptors is told, and ends nothing", () => {
  const call = `
    const git = new part.Git({ folder: "/", env: process.env });
    await git.ask(["version"]).catch((error) => console.log(error.code + ": " + error.message));`;
  expect(without("64", "repo/git.js", call)).toBe(
    "STORE_UNREADABLE: git could not be started: too many files are open",
  );
});
