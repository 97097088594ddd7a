import type { SaidWork } from "../../claim/index.ts";
import { testRunnerOf } from "../../verify/observed/index.ts";

/** A report of work, where it can be judged without doubt about what is meant. */
type SaidFile = Extract<SaidWork, { kind: "file" }>;

/** With an ending that files have: `user.name` in a sentence is no file. */
const FILE_NAME =
  /\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|kt|swift|c|h|cc|cpp|hpp|cs|php|sh|bash|sql|json|ya?ml|toml|xml|html?|css|scss|md|mdx|txt|vue|svelte|lock|proto|graphql|tf|gradle)$/i;
/** "Removed the import from `a.ts`" says nothing about the file as a whole. */
const DELETED_ITSELF =
  /\b(?:deleted|removed)\s+(?:the\s+)?(?:(?:old|unused|dead|file|files)\s+)*`/i;

/** Whether a sentence names this file, and this file as a whole where it says that it is gone. */
export function isAboutFile(said: SaidFile): boolean {
  if (!FILE_NAME.test(said.path)) return false;
  return said.how !== "deleted" || DELETED_ITSELF.test(said.text);
}

/** Whether one of these commands, each as a person types it, runs tests. */
export function showsTests(commands: readonly string[]): boolean {
  return commands.some((command) =>
    command.split(/&&|\|\||[;|\n]/).some((part) => {
      const words = part.split(/\s+/).filter((word) => word !== "" && !/^\w+=/.test(word));
      return words.length > 0 && testRunnerOf(words) !== undefined;
    }),
  );
}
