import type { WorkReport } from "../../schema/work.ts";
import { shownProofs } from "../../view/index.ts";
import { checkTable, list, unconfirmed } from "./packet-page.ts";

const TITLE_CHARS_MAX = 100;
/** Forges take 65,536 characters; a table of many checks must not be what fails a delivery. */
const BODY_CHARS_MAX = 60_000;

/** What a forge is told of a delivered change. */
export interface Request {
  readonly title: string;
  readonly body: string;
}

/** Title and text of a pull request. A mention in what others wrote calls nobody: it is broken up. */
export function pullRequestBody(
  report: WorkReport,
  about: { readonly artifact: string; readonly commit: string; readonly digest: string },
): Request {
  const words = calm(report.task.replaceAll(/[\p{C}\p{Z}\s]+/gu, " ").trim());
  const body = [
    `Packet sha256:${about.digest}`,
    "",
    "## Checks that the runtime made",
    "",
    ...checkTable(shownProofs(report)),
    "## Claims that it could not confirm",
    "",
    ...list(unconfirmed(report), "None."),
    "## How to verify",
    "",
    `- This is commit ${about.commit}, ${about.artifact}.`,
    "- `sworn verify <packet>.packet.tar` proves the record offline, with no key and no network.",
    "- `sworn verify --rerun <packet>.packet.tar` makes the checks again in a sandbox and compares.",
    "",
  ].join("\n");
  const shown = calm(body);
  return {
    title: Array.from(words).slice(0, TITLE_CHARS_MAX).join("") || "A proven change",
    body: shown.length <= BODY_CHARS_MAX ? shown : `${shown.slice(0, BODY_CHARS_MAX)}\n\n… cut`,
  };
}

/** Without anything that a forge acts upon: mentions, references that close issues, markup of its own. */
function calm(text: string): string {
  return text
    .replaceAll(/@(?=[\w-])/g, "@\u{200b}")
    .replaceAll(/(?<!&)#(?=\d)/g, "#\u{200b}")
    .replaceAll("<", "&lt;");
}
