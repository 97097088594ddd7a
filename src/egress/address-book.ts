import { lookup } from "node:dns/promises";
import { isDialable } from "./address.ts";
import { isRefusal, type Refusal, refuse } from "./refusal.ts";

/** Turns a name into its addresses; passed in by tests. */
export type Resolve = (host: string) => Promise<readonly string[]>;

const ADDRESSES_MAX = 32;

/** Asks the machine's own resolver, which also reads its hosts file. */
export const systemResolve: Resolve = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address);

/**
 * The addresses of each name, asked for once in a run. What was checked is what is dialled: a name
 * server that gives a second, different answer is never asked for it.
 */
export class AddressBook {
  readonly #resolve: Resolve;
  readonly #known = new Map<string, Promise<readonly string[] | Refusal>>();

  constructor(resolve: Resolve) {
    this.#resolve = resolve;
  }

  /** All addresses of a listed name, or a refusal when a single one of them may not be dialled. */
  async addressesOf(host: string, allowPrivate: boolean): Promise<readonly string[] | Refusal> {
    const key = `${host} ${allowPrivate}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const asked = this.#ask(host, allowPrivate);
    this.#known.set(key, asked);
    const answer = await asked;
    // A resolver that is down may be up again at the next try; a forbidden address stays forbidden.
    if (isRefusal(answer) && answer.refused === "upstream") this.#known.delete(key);
    return answer;
  }

  async #ask(host: string, allowPrivate: boolean): Promise<readonly string[] | Refusal> {
    let addresses: readonly string[];
    try {
      addresses = await this.#resolve(host);
    } catch {
      // The resolver's own words could name servers of the user's network; the inside needs none of it.
      return refuse("upstream", `the name ${host} could not be resolved`);
    }
    if (addresses.length === 0 || addresses.length > ADDRESSES_MAX) {
      return refuse("upstream", `the name ${host} resolved to ${addresses.length} addresses`);
    }
    if (!addresses.every((address) => isDialable(address, allowPrivate))) {
      return refuse(
        "address",
        `the name ${host} resolves to an address that is private, local or reserved; only a registry from the user's own configuration may`,
      );
    }
    return addresses;
  }
}
