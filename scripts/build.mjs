// Builds dist/: removes what the last build left, compiles, copies what is no TypeScript, joins what is
// started, says what of it is not published, and makes the command executable.
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, readdirSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { joinStarted } from "./join.mjs";
import { leaveOut } from "./leave-out.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const compiler = fileURLToPath(new URL("../node_modules/.bin/tsc", import.meta.url));
const source = new URL("../src/", import.meta.url);
const built = new URL("../dist/", import.meta.url);

rmSync(built, { recursive: true, force: true });
execFileSync(compiler, ["-p", "tsconfig.build.json"], { cwd: root, stdio: "inherit" });
for (const name of readdirSync(source, { recursive: true, encoding: "utf8" })) {
  if (name.endsWith(".py")) cpSync(new URL(name, source), new URL(name, built));
}
await joinStarted();
leaveOut();
chmodSync(new URL("../dist/cli/bin.js", import.meta.url), 0o755);
