// Builds dist/: removes what the last build left, compiles, and makes the command executable.
import { execFileSync } from "node:child_process";
import { chmodSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const compiler = fileURLToPath(new URL("../node_modules/.bin/tsc", import.meta.url));

rmSync(new URL("../dist", import.meta.url), { recursive: true, force: true });
execFileSync(compiler, ["-p", "tsconfig.build.json"], { cwd: root, stdio: "inherit" });
chmodSync(new URL("../dist/cli/bin.js", import.meta.url), 0o755);
