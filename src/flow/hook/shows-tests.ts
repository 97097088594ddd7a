import { testRunnerOf } from "../../verify/observed/index.ts";

/** Whether one of these commands, each as a person types it, runs tests. */
export function showsTests(commands: readonly string[]): boolean {
  return commands.some((command) =>
    command.split(/&&|\|\||[;|\n]/).some((part) => {
      const words = part.split(/\s+/).filter((word) => word !== "" && !/^\w+=/.test(word));
      return words.length > 0 && testRunnerOf(words) !== undefined;
    }),
  );
}
