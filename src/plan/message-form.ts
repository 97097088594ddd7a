import { SwornError } from "../base/index.ts";
import type { Teammate } from "../schema/contract.ts";
import { checkCompletionMessage, MESSAGE_WORDS_MAX } from "./completion-message.ts";

/** The completion message with its numbers left open, as the prompt asks for it. */
export function messageForm({ name, role, output_file }: Teammate): string {
  return `Seal: ${role ?? name} complete. Path: ${output_file}. Findings: N P1, N P2, N P3. Confidence: 0.X. Self-reviewed: yes.`;
}

/**
 * The message a teammate would send. An agent whose role alone uses up the limit could never send
 * an acceptable one, so the contract is refused instead of the agent.
 *
 * @throws SwornError `INPUT_INVALID`.
 */
export function longestMessage(teammate: Teammate): string {
  const filled = messageForm(teammate).replaceAll(" N P", " 1000 P").replace(" 0.X.", " 0.99.");
  const checked = checkCompletionMessage(filled);
  if (checked.kind === "refused") {
    throw new SwornError(
      "INPUT_INVALID",
      `the role of ${teammate.name} leaves no room for a completion message of ${MESSAGE_WORDS_MAX} words (${checked.reason}); shorten it`,
    );
  }
  return filled;
}
