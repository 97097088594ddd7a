import { realpathSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** What runs inside is the build, also for the source beside it: Node.js starts no other. */
const BUILT = fileURLToPath(
  new URL(import.meta.url.endsWith(".ts") ? "../../dist/" : "../", import.meta.url),
);

/** The words that start a program of ours inside a sandbox, with its settings as the last. */
export function insideArgv(program: "model-program" | "acp-program", settings: unknown): string[] {
  const path = join(BUILT, "agent", "inside", `${program}.js`);
  return [realpathSync(process.execPath), path, JSON.stringify(settings)];
}

/**
 * What has to be seen inside for that, and no more: single files where a folder holds anything else.
 * The package's description says that its files are modules.
 */
export function insideFolders(): string[] {
  return [
    realpathSync(process.execPath),
    join(BUILT, "agent"),
    join(BUILT, "base", "data-fence.js"),
    join(BUILT, "..", "package.json"),
  ];
}
