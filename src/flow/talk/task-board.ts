import { BOARD_DIGEST, type Board, boardOf, type Refusal, refuse } from "../../view/index.ts";
import { type Author, type Bus, isLeading, isRefused, type Said } from "./bus.ts";
import { post } from "./post.ts";

/** What a task knows now. */
export function readBoard(on: Bus): Board {
  return boardOf(on.talk());
}

/**
 * Writes down which board a plan is made from. Whoever looks at the board later sees whether it
 * still is that one.
 */
export async function lockBoard(
  on: Bus,
  author: Author,
): Promise<(Said & { readonly digest: string }) | Refusal> {
  if (!isLeading(author)) {
    return refuse(
      "ROLE_GUARD",
      `a board is locked by the lead or a person, not by ${author.agent}`,
    );
  }
  const { digest } = readBoard(on);
  const text = `The plan is made from the board ${digest}`;
  const said = await post(on, author, { kind: "DECISION", text, meta: { [BOARD_DIGEST]: digest } });
  return isRefused(said) ? said : { ...said, digest };
}
