import { SwornError } from "../../base/index.ts";

/**
 * Somebody who had to judge gave no answer that can be read. That is never a yes, and no fault of who
 * worked: the work stays open, and whoever goes on with it asks again.
 */
export class Unheard extends SwornError {
  constructor(who: string, why: string) {
    super("AGENT_UNHEARD", `${who} gave no answer that counts: ${why}`);
  }
}
