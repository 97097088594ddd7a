import { existsSync } from "node:fs";
import { join } from "node:path";
import type { PolicySource } from "../../policy/index.ts";

/**
 * Where this user's own policies are: in their state folder, which no project can write to. The
 * trees that are to be judged are named, so that a folder inside of one is refused.
 */
export function policySource(state: string, trees: readonly string[]): PolicySource | undefined {
  const folder = join(state, "policies");
  return existsSync(folder) ? { folder, outside: trees } : undefined;
}
