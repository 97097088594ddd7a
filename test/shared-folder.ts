import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The variable that names the folder for what several files of tests share; gone when all are done. */
const VARIABLE = "SWORN_TEST_SHARED";

/** Called once before all tests; what it gives back is called after them. Workers are killed, and clean up nothing. */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "sworn-tests-"));
  process.env[VARIABLE] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

/** A new folder that stays until all tests are done. */
export function sharedFolder(name: string): string {
  return mkdtempSync(join(process.env[VARIABLE] ?? tmpdir(), `${name}-`));
}
