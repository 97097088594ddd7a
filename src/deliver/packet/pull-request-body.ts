import type { CompletionDocument } from "../../schema/completion.ts";
import type { WorkReport } from "../../schema/work.ts";
import { shownProofs, weakenedTests, weakenedWords } from "../../view/index.ts";
import { checkTable, list } from "./packet-page.ts";
import { unconfirmed } from "./unconfirmed.ts";

const TITLE_CHARS_MAX = 100;
/** Forges take 65,536 characters; a table of many checks must not be what fails a delivery, or hides how to verify it. */
const FOUND_CHARS_MAX = 60_000;

/** What a forge is told of a delivered change. */
export interface Request {
  readonly title: string;
  readonly body: string;
}

/** Title and text of a pull request. A mention in what others wrote calls nobody: it is broken up. */
export function pullRequestBody(
  report: WorkReport,
  completion: CompletionDocument | null,
  about: { readonly artifact: string; readonly commit: string; readonly digest: string },
): Request {
  const words = calm(report.task.replaceAll(/[\p{C}\p{Z}\s]+/gu, " ").trim());
  const found = [
    ...list(weakenedWords(weakenedTests(report)), ""),
    "## Checks that the runtime made",
    "",
    ...checkTable(shownProofs(report)),
    "## Claims that it could not confirm",
    "",
    ...list(unconfirmed(report, completion), "None."),
  ].join("\n");
  const shown = calm(found);
  const cut =
    shown.length <= FOUND_CHARS_MAX ? shown : `${shown.slice(0, FOUND_CHARS_MAX)}\n\n… cut`;
  return {
    title: Array.from(words).slice(0, TITLE_CHARS_MAX).join("") || "A proven change",
    body: [`Packet sha256:${about.digest}`, "", cut, "", ...howToVerify(report, about)].join("\n"),
  };
}

/** Our own words, which need no calming: an address with something put into it could not be copied. */
function howToVerify(
  { work }: WorkReport,
  { commit, artifact }: { readonly artifact: string; readonly commit: string },
): string[] {
  const packet = `${work}.packet.tar`;
  return [
    "## How to verify",
    "",
    `- This is commit ${commit}, \`${artifact.replaceAll("`", "")}\`.`,
    `- \`sworn verify ${packet}\` proves the record offline, with no key and no network.`,
    `- \`sworn verify --rerun ${packet}\` makes the checks again in a sandbox and compares.`,
    "",
  ];
}

/** Without anything that a forge acts upon: mentions, references that close issues, markup of its own. */
function calm(text: string): string {
  return text
    .replaceAll(/@(?=[\w-])/g, "@\u{200b}")
    .replaceAll(/(?<!&)#(?=\d)/g, "#\u{200b}")
    .replaceAll("<", "&lt;");
}
