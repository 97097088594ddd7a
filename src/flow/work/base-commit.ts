import { SwornError } from "../../base/index.ts";
import type { CommitMaker } from "../../repo/index.ts";
import type { PlanSubtask } from "../../schema/plan.ts";
import { commitOf, type WorkState } from "./work-state.ts";

/** Two subtasks that changed the same lines. */
export interface Conflict {
  readonly subtask: string;
  readonly files: readonly string[];
  /** What was there before it, and what it brings: both are kept. */
  readonly ours: string;
  readonly theirs: string;
}

/** Puts commits of subtasks together, and remembers what it has put together. */
export class CommitWeaver {
  readonly #maker: CommitMaker;
  readonly #woven = new Map<string, Promise<string | Conflict>>();

  constructor(maker: CommitMaker) {
    this.#maker = maker;
  }

  /**
   * The commit that a subtask begins with: the start, and what its upstreams left, in the order of
   * the plan.
   *
   * @throws SwornError `ALREADY_EXISTS` when two of them contradict each other; both are named.
   */
  async baseOf(subtask: PlanSubtask, state: WorkState): Promise<string> {
    const order = state.plan.assembly_order;
    const upstreams = [...new Set(subtask.depends_on)].toSorted(
      (one, other) => order.indexOf(one) - order.indexOf(other),
    );
    const woven = await this.weave(state.start, upstreams, state);
    if (typeof woven === "string") return woven;
    const { files, ours, theirs } = woven;
    throw new SwornError(
      "ALREADY_EXISTS",
      `${subtask.id} cannot begin: ${woven.subtask} contradicts what came before it in ${files.join(", ")}; both are kept, as ${ours} and ${theirs}`,
    );
  }

  /** All of these on top of a start, or the first contradiction. */
  async weave(start: string, ids: readonly string[], state: WorkState): Promise<string | Conflict> {
    let tip = start;
    for (const id of ids) {
      const commit = commitOf(state.of(id));
      if (commit === undefined || commit === tip) continue;
      const next = await this.#add(tip, commit, id, state);
      if (typeof next !== "string") return next;
      tip = next;
    }
    return tip;
  }

  #add(tip: string, commit: string, id: string, state: WorkState): Promise<string | Conflict> {
    const key = `${tip} ${commit}`;
    const known = this.#woven.get(key);
    if (known !== undefined) return known;
    const made = this.#merge(tip, commit, id, state);
    this.#woven.set(key, made);
    return made;
  }

  async #merge(tip: string, commit: string, id: string, state: WorkState) {
    const own = state.of(id).proven ?? state.of(id).last;
    if (commit === state.start) return tip;
    // Everything begins with the start; what stands on the tip itself is the next commit as it is.
    if (tip === state.start || own?.order.at === tip) return commit;
    const name = state.plan.subtasks.find((one) => one.id === id)?.name ?? "";
    const merged = await this.#maker.merge(tip, commit, `${id}: ${name}`);
    return "commit" in merged
      ? merged.commit
      : { subtask: id, files: merged.conflicts, ours: tip, theirs: commit };
  }
}
