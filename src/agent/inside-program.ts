import { realpathSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Where the programs of ours lie that are started inside a sandbox, and what starts them. */
export interface InsidePrograms {
  readonly node: string;
  /** The folder with the built files: `agent/` and `base/` are in it. */
  readonly built: string;
}

/** As this process itself was started and built. */
export function insidePrograms(): InsidePrograms {
  return {
    node: realpathSync(process.execPath),
    built: fileURLToPath(new URL("..", import.meta.url)),
  };
}

/** The words that start one of them, with its settings as the last. */
export function insideArgv(
  { node, built }: InsidePrograms,
  program: "model-program" | "acp-program",
  settings: unknown,
): string[] {
  return [node, join(built, "agent", "inside", `${program}.js`), JSON.stringify(settings)];
}

/**
 * What has to be seen inside for that, and no more: single files where a folder holds anything else.
 * The package's description says that its files are modules.
 */
export function insideFolders({ node, built }: InsidePrograms): string[] {
  return [
    node,
    join(built, "agent"),
    join(built, "base", "data-fence.js"),
    join(built, "..", "package.json"),
  ];
}
