import type { AgentEvent, AgentLimits } from "../../schema/agent.ts";

/** What an agent has used, as far as it tells and as far as its model's answers were counted. */
export interface AgentUse {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly microUsd: number | undefined;
  readonly turns: number;
  /** Uses of its tools, or the programs that it started; whichever, {@link toolCallsBy} says. */
  readonly toolCalls: number;
  readonly toolCallsBy: CountedBy;
}

/**
 * How uses of tools were counted: `told` by the agent; as programs that were `seen` to begin, all of
 * them; `partly`, because some may have begun unseen; or by `nothing`.
 */
export const COUNTED_BY = ["told", "seen", "partly", "nothing"] as const;
export type CountedBy = (typeof COUNTED_BY)[number];

/**
 * Adds up what a run uses and says which ceiling it has reached. Tokens and money are the agent's own
 * word, money at least what its tokens cost by the price in its settings; turns are counted from outside where its model is reached through us.
 */
export class Ceiling {
  readonly #limits: AgentLimits;
  readonly #spendMax: number;
  #input = 0;
  #output = 0;
  #microUsd: number | undefined;
  #told = 0;
  #seen = 0;
  #calls = 0;
  #programs = 0;
  #by: CountedBy = "told";

  /** @param microUsdMax what may be spent beside the agent's own limit */
  constructor(limits: AgentLimits, microUsdMax = Number.POSITIVE_INFINITY) {
    this.#limits = limits;
    this.#spendMax = microUsdMax;
  }

  get use(): AgentUse {
    return {
      inputTokens: this.#input,
      outputTokens: this.#output,
      microUsd: this.#cost(),
      turns: Math.max(this.#told, this.#seen),
      toolCalls: this.#toolCalls,
      toolCallsBy: this.#by,
    };
  }

  /** Takes what the agent says of itself. */
  hear(event: AgentEvent): void {
    if (event.kind === "turn") this.#told += 1;
    if (event.kind === "tool") this.#calls += 1;
    if (event.kind !== "usage") return;
    this.#input += event.inputTokens;
    this.#output += event.outputTokens;
    if (event.microUsd !== undefined) this.#microUsd = (this.#microUsd ?? 0) + event.microUsd;
  }

  /** Its model answered once more. */
  seeRequest(): void {
    this.#seen += 1;
  }

  /** What it says, or what its tokens come to by the price in its settings: whichever is more. */
  #cost(): number | undefined {
    const { price } = this.#limits;
    if (price === undefined) return this.#microUsd;
    // Dollars for a million are millionths for one.
    const byPrice = Math.ceil(this.#input * price.input + this.#output * price.output);
    return Math.max(byPrice, this.#microUsd ?? 0);
  }

  /** It started a program. */
  seeProgram(): void {
    this.#programs += 1;
  }

  /** From what its uses of tools are counted from now on. */
  countBy(by: CountedBy): void {
    this.#by = by;
  }

  get #toolCalls(): number {
    return this.#by === "told" ? this.#calls : this.#programs;
  }

  /** The ceiling that was passed, by the name of its setting. */
  get passed(): "tokens" | "micro_usd" | "runs.spend" | "turns" | "tool_calls" | undefined {
    const { tokens, turns, tool_calls: calls, micro_usd: own } = this.#limits;
    if (tokens !== undefined && this.#input + this.#output > tokens) return "tokens";
    const cost = this.#cost() ?? 0;
    if (own !== undefined && cost > own) return "micro_usd";
    if (cost > this.#spendMax) return "runs.spend";
    if (turns !== undefined && this.use.turns > turns) return "turns";
    if (calls !== undefined && this.#toolCalls > calls) return "tool_calls";
    return undefined;
  }
}
