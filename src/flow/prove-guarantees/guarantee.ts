import type { Ground } from "./ground.ts";
import type { Product } from "./product.ts";

/** What was tried against one guarantee on this machine, and what answered. */
export interface Guarantee {
  readonly name: string;
  readonly tried: string;
  readonly answered: string;
  readonly holds: boolean;
  /** Set when it was called off before it ended: then nothing is known, and it counts as not holding. */
  readonly isStopped?: true;
}

/** What came of an attempt to break a guarantee. */
export type Answered = Pick<Guarantee, "answered" | "holds">;

/**
 * One attempt to break one guarantee, through the functions that the product itself uses. Each first
 * shows that the honest case goes through, so that a part that refuses everything proves nothing.
 */
export interface Attempt extends Pick<Guarantee, "name" | "tried"> {
  /** @throws whatever the product throws where it is not expected to; then the guarantee does not hold. */
  readonly make: (product: Product, ground: Ground) => Promise<Answered>;
}

/** The attempt was stopped, by the part that should stop it. */
export const holds = (answered: string): Answered => ({ answered, holds: true });

/** It went through, or it was not this part that stopped it. */
export const fails = (answered: string): Answered => ({ answered, holds: false });
