import type { CommitMaker, RawChange, Repository } from "../../repo/index.ts";
import type { TryWork } from "../../schema/work.ts";
import { WORKER_SAID } from "../../view/index.ts";
import type { Place } from "../place.ts";
import { readWork } from "./read-state.ts";
import type { Worker, WorkLeft, WorkOrder } from "./work-parts.ts";
import type { WorkState } from "./work-state.ts";

const PLAIN_MODE = "100644";
const NOTHING = { mode: "000000", id: "0".repeat(40) };

const BEGUN =
  "Somebody worked on this before, and the files are as they were left: keep what is right, and put right what is not.";

/** An earlier work on the same plan, and what of it was not accepted. */
export interface EarlierWork {
  readonly trace: string;
  /** Why it was not accepted, in the words of those who looked at it. */
  readonly reasons: readonly string[];
  /** The subtasks whose claims were struck. */
  readonly struck: readonly string[];
}

interface Scene {
  readonly place: Place;
  readonly repository: Repository;
  readonly maker: CommitMaker;
}

/**
 * A worker that begins with what an earlier work left. What nobody spoke against is kept as it is;
 * what was struck is given to the worker again, in the tree that it left. Nothing of it is believed:
 * every proof is made again, against the commit that the whole plan began with.
 *
 * @throws SwornError when the record of the earlier work does not verify.
 */
export async function onEarlierWork(
  worker: Worker,
  earlier: EarlierWork,
  scene: Scene,
): Promise<Worker> {
  const { state } = await readWork(scene.place, earlier.trace);
  const struck = struckIn(state, earlier);
  return {
    work: async (order) => {
      const { id } = order.subtask;
      const left = await leftOn(order, state, scene);
      if (left === undefined) return worker.work(order);
      if (!struck.has(id) && isToldTheSame(order, state)) {
        return kept(order, left, { ...scene, trace: earlier.trace });
      }
      order.onStep("begins with what the last work left");
      return worker.work({ ...order, at: left.commit, prompt: `${order.prompt}\n${BEGUN}\n` });
    },
    recover: async (...about) => worker.recover?.(...about),
  };
}

/**
 * The subtasks that have to answer: those whose claims fell, and those that a reason names, by their
 * id or by a file that they changed. Where the reasons name none, it can be any of them.
 */
export function struckIn(
  state: WorkState,
  { reasons, struck }: Pick<EarlierWork, "reasons" | "struck">,
): ReadonlySet<string> {
  const ids = state.subtasks.map(({ id }) => id);
  const named = state.subtasks
    .filter(({ id, proven }) => {
      const words = [id, ...(proven?.work?.changed ?? [])];
      return (
        struck.includes(id) || reasons.some((reason) => words.some((one) => names(reason, one)))
      );
    })
    .map(({ id }) => id);
  return new Set(named.length === 0 ? ids : named);
}

/** Whether a text has a name in it, and not only a longer one that holds it. */
function names(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const before = text.slice(0, at).replace(/(?<![\w/.-])\.\/$/, "");
    const isAlone = !/[\w/.-]$/.test(before);
    if (isAlone && !/^(?:[\w/-]|\.\w)/.test(text.slice(at + name.length))) return true;
  }
  return false;
}

interface Left {
  readonly work: TryWork;
  /** What it changed, on top of the commit that its subtask begins with now. */
  readonly commit: string;
}

/** What a subtask left, on its base of now; undefined where it does not fit on that any more. */
async function leftOn(
  { subtask, at }: WorkOrder,
  state: WorkState,
  { repository, maker }: Scene,
): Promise<Left | undefined> {
  const work = state.has(subtask.id) ? state.of(subtask.id).proven?.work : undefined;
  if (work === undefined) return undefined;
  if (work.at === at) return { work, commit: work.commit };
  const own = work.at === work.commit ? [] : await repository.rawChanges(work.at, work.commit);
  const moved = new Set((await repository.rawChanges(work.at, at)).map(({ path }) => path));
  if (own.some(({ path }) => moved.has(path))) return undefined;
  if (own.length === 0) return { work, commit: at };
  const commit = await maker.withChanges(at, own, `${subtask.id}: ${subtask.name}`);
  return { work, commit };
}

/**
 * Whether it would be told what it was told then: its instruction, its checks, the values from others.
 * Where what was kept is not proven any more, the next try is told why, and is given to the worker.
 */
function isToldTheSame({ subtask, prompt }: WorkOrder, state: WorkState): boolean {
  return state.of(subtask.id).tries[0]?.order.prompt === prompt;
}

/** What was left then, in the form in which a worker leaves it, its output included. */
async function kept(
  { staging }: WorkOrder,
  { work, commit }: Left,
  { maker, trace }: Scene & { readonly trace: string },
): Promise<WorkLeft> {
  const { output, run, is_asked: isAsked, flaws, notes } = work;
  const handedIn: RawChange[] =
    output === undefined
      ? []
      : [
          {
            path: `${staging}/${output.path}`,
            raw: Buffer.from(`${staging}/${output.path}`).toString("latin1"),
            before: NOTHING,
            after: { mode: PLAIN_MODE, id: await maker.blob(Buffer.from(output.text)) },
          },
        ];
  return {
    ...{ run, status: "completed", isAsked },
    commit:
      handedIn.length === 0
        ? commit
        : await maker.withChanges(commit, handedIn, "What was handed in"),
    words:
      flaws === undefined ? "" : ["FLAW: none", ...flaws.map((one) => `FLAW: ${one}`)].join("\n"),
    notes: [`kept from ${trace}: nothing was said against it`],
    // Its work is kept, and so is what its worker said of it that was not so.
    refuted: notes.filter((one) => one.startsWith(WORKER_SAID)),
  };
}
