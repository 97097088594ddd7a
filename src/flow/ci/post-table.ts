import { SwornError } from "../../base/index.ts";
import type { CiReport } from "../../schema/ci-report.ts";
import { type Comment, type Forge, ForgeClient } from "../deliver/task/forge-client.ts";

/** How our comment is found again; people do not see it. */
export const MARKER = "<!-- sworn-ci -->";
/** Forges take 65,536 characters. */
const COMMENT_CHARS_MAX = 60_000;
/** What the own workflows of a forge comment as, where it does not say whom a token speaks for. */
const WORKFLOW = "Bot";

/** What became of the comment. */
export type Posted = NonNullable<CiReport["posted"]>;

/** What is posted: the table under its marker, never longer than a forge takes. */
export function commentOf(markdown: string): string {
  const body = `${MARKER}\n${markdown}`;
  if (body.length <= COMMENT_CHARS_MAX) return body;
  const cut = body.slice(0, COMMENT_CHARS_MAX);
  // At the end of a row: half a row could leave markup open.
  return `${cut.slice(0, cut.lastIndexOf("\n"))}\n\nThe rest is too long for a comment.\n`;
}

/**
 * Writes the table as one comment on a pull request, or into the comment that was written before. Anybody
 * can write the marker: only a comment of the token's own counts.
 *
 * @throws SwornError `DELIVERY_FAILED`.
 */
export async function postTable(forge: Forge, number: number, comment: string): Promise<Posted> {
  if (comment.includes(forge.token)) {
    throw new SwornError("DELIVERY_FAILED", "the comment would show the token, and was not sent");
  }
  const client = new ForgeClient(forge);
  const own = await client.ownName();
  const earlier = (await client.comments(number)).find((one) => isOurs(one, own));
  if (earlier === undefined) {
    const { html_url } = await client.comment(number, comment);
    return { did: "written", url: html_url };
  }
  // Forges give line ends back in another form.
  if (earlier.body?.replaceAll("\r\n", "\n").trim() === comment.trim()) {
    return { did: "unchanged", url: earlier.html_url };
  }
  const { html_url } = await client.editComment(earlier.id, comment);
  return { did: "updated", url: html_url };
}

function isOurs({ body, user }: Comment, own: string | undefined): boolean {
  if (!body?.startsWith(MARKER)) return false;
  return own === undefined ? user?.type === WORKFLOW : user?.login === own;
}
