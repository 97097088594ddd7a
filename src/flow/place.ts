import { existsSync, lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { ArtifactStore } from "../artifact/index.ts";
import {
  type Clock,
  ensureFolder,
  readPlainFile,
  SwornError,
  syncFolder,
  systemClock,
  writeFileDurably,
} from "../base/index.ts";
import { Keyring } from "../keyring/index.ts";
import { HeadFile } from "../ledger/heads.ts";
import { Name, TraceId } from "../schema/index.ts";
import { namesMeant, severalMeant } from "./words/names-meant.ts";

/** A trace's id and a newline, with room for what is wrong. */
const POINTER_BYTES_MAX = 4_096;

/** Where things are: the project's store, and the user's own state, which no store can reach. */
export interface PlaceOptions {
  /** The project's `.sworn` folder. */
  readonly store: string;
  /** The user's state directory: private keys, and the heads of traces. */
  readonly state: string;
  readonly clock?: Clock;
  readonly passphrase?: () => string | undefined;
  /** How many threads verification may use; 0 uses none. */
  readonly threads?: number;
}

/**
 * The store that a folder belongs to: its own, or the nearest above it, up to but without the home
 * folder; its own where there is none. Above the folder itself only a store of the same user counts:
 * in a shared folder anybody could have put one there.
 */
export function findStore(folder: string, home: string): string {
  const own = join(folder, ".sworn");
  const last = [home, existsSync(home) ? realpathSync(home) : home];
  if (existsSync(own) || last.includes(folder)) return own;
  for (let at = dirname(folder); !last.includes(at); at = dirname(at)) {
    const store = join(at, ".sworn");
    if (isOwnStore(store)) return store;
    if (at === dirname(at)) break;
  }
  return own;
}

function isOwnStore(store: string): boolean {
  const traces = statSync(join(store, "traces"), { throwIfNoEntry: false });
  const uid = process.getuid?.();
  return traces?.isDirectory() === true && (uid === undefined || traces.uid === uid);
}

/** @throws SwornError `INPUT_INVALID` when a link stands where a file or folder of ours belongs. */
export function assertNoLink(path: string): void {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return;
  const message = `${path} is a link, and links are not followed; put a folder in its place`;
  throw new SwornError("INPUT_INVALID", message);
}

/** A project's records on this machine. Opening it creates nothing; writing into it may. */
export class Place {
  readonly clock: Clock;
  readonly artifacts: ArtifactStore;
  readonly #options: PlaceOptions;
  #keyring: Keyring | undefined;

  constructor(options: PlaceOptions) {
    this.#options = options;
    this.clock = options.clock ?? systemClock;
    this.artifacts = new ArtifactStore(join(options.store, "artifacts"));
  }

  get store(): string {
    return this.#options.store;
  }

  /** The user's state directory. */
  get state(): string {
    return this.#options.state;
  }

  get keyFolder(): string {
    return join(this.state, "keys");
  }

  get keyring(): Keyring {
    const { passphrase = () => undefined } = this.#options;
    this.#keyring ??= new Keyring(this.keyFolder, { clock: this.clock, passphrase });
    return this.#keyring;
  }

  get threads(): number {
    return this.#options.threads ?? 0;
  }

  get exists(): boolean {
    return existsSync(join(this.store, "traces"));
  }

  /** Makes the store ready for use. Safe to repeat. */
  prepare(): void {
    // A repository can bring links here, and what lies behind them is not ours to write into.
    for (const folder of [".", "traces", "artifacts", "reviews", "runs", "tasks", "project"]) {
      assertNoLink(join(this.store, folder));
    }
    ensureFolder(join(this.store, "traces"));
    const ignore = join(this.store, ".gitignore");
    // Records are evidence, not source: they travel as bundles, not as commits.
    if (!existsSync(ignore)) writeFileDurably(ignore, "*\n");
  }

  traces(): string[] {
    if (!this.exists) return [];
    return readdirSync(join(this.store, "traces"))
      .filter((name) => TraceId.safeParse(name).success && this.#isTrace(name))
      .sort();
  }

  /** A folder whose making was cut short is no trace; one whose ledger is gone, but known outside, is. */
  #isTrace(name: string): boolean {
    return existsSync(this.ledgerPath(name)) || this.heads(name).isUsed();
  }

  /**
   * Finds a trace by its id, by the beginning of it, by the work that it is the record of, or as
   * `latest`.
   *
   * @throws SwornError `NOT_FOUND` when none fits or several do.
   */
  find(wanted: string): string {
    const all = this.traces();
    const start = isWorkId(wanted) ? `trace_${wanted.toUpperCase()}` : wanted;
    const fitting =
      wanted === "latest"
        ? this.#withoutTalk(this.#written(all))
            .toSorted((a, b) => this.#compareUse(a, b))
            .slice(-1)
        : namesMeant(start, all);
    if (fitting.length === 1 && fitting[0] !== undefined) return fitting[0];
    const what =
      all.length === 0
        ? `there is no trace in ${this.store} yet; "sworn review" makes one`
        : fitting.length === 0
          ? `there is no trace "${wanted}" in ${this.store}; see "sworn trace ls"`
          : severalMeant(`traces in ${this.store}`, wanted, fitting);
    throw new SwornError("NOT_FOUND", what);
  }

  /**
   * Those into which something was written, where there are any: whoever speaks of the latest means none
   * that a killed process left empty. What has no head outside counts, so that it is found and fails.
   */
  #written(traces: readonly string[]): readonly string[] {
    const others = traces.filter((trace) => {
      const heads = this.heads(trace);
      const log = statSync(`${this.ledgerPath(trace)}-wal`, { throwIfNoEntry: false });
      return !heads.exists() || heads.isUsed() || (log?.size ?? 0) > 0;
    });
    return others.length === 0 ? traces : others;
  }

  /**
   * The traces that are no task's talk, where there are any: whoever speaks of the latest means the
   * last thing that was done, and the runner talks about it afterwards.
   */
  #withoutTalk(traces: readonly string[]): readonly string[] {
    const pointers = [undefined, ...this.tasks()].map((task) =>
      join(this.talkFolder(task), "trace"),
    );
    const talk = pointers
      .filter((path) => lstatSync(path, { throwIfNoEntry: false })?.isFile())
      .map((path) => readPlainFile(path, POINTER_BYTES_MAX, "refuse").toString().trimEnd());
    const others = traces.filter((trace) => !talk.includes(trace));
    return others.length === 0 ? traces : others;
  }

  /**
   * Orders by the last writing here. The time in an id is its maker's word: a bundle from the
   * future would be the latest for ever.
   */
  #compareUse(a: string, b: string): number {
    const [usedA, usedB] = [a, b].map(
      (trace) => statSync(this.heads(trace).path, { bigint: true, throwIfNoEntry: false })?.mtimeNs,
    );
    const difference = (usedA ?? 0n) - (usedB ?? 0n);
    return difference === 0n ? (a < b ? -1 : 1) : difference < 0n ? -1 : 1;
  }

  traceFolder(trace: string): string {
    return join(this.store, "traces", trace);
  }

  ledgerPath(trace: string): string {
    return join(this.traceFolder(trace), "ledger.db");
  }

  /** The head of a trace, outside the store. */
  heads(trace: string): HeadFile {
    return new HeadFile(join(this.#options.state, "heads", `${trace}.head`));
  }

  /** Where a recovery prepares the heads that will replace those. */
  newHeads(trace: string): HeadFile {
    return new HeadFile(`${this.heads(trace).path}.new`);
  }

  /** Where the renderings of a task lie, and which trace is its own; without a task, the project's. */
  talkFolder(task: string | undefined): string {
    return task === undefined ? join(this.store, "project") : join(this.store, "tasks", task);
  }

  /** The tasks that have a folder here. */
  tasks(): string[] {
    const folder = join(this.store, "tasks");
    if (!existsSync(folder)) return [];
    return readdirSync(folder, { withFileTypes: true })
      .filter((one) => one.isDirectory() && Name.safeParse(one.name).success)
      .map(({ name }) => name)
      .sort();
  }

  /** Makes the folders of a new trace, their names durable. */
  prepareTrace(trace: string): void {
    this.prepare();
    ensureFolder(join(this.#options.state, "heads"), 0o700);
    // One that is there may be another process's, and its name not on disk yet.
    const made = ensureFolder(this.traceFolder(trace));
    if (made === undefined) syncFolder(join(this.store, "traces"));
  }
}

/** As works are called: by the name of their record without what all begin with, mostly in small letters. */
export function isWorkId(wanted: string): boolean {
  return /^[0-9][0-9a-hjkmnp-tv-z]{7,25}$/i.test(wanted);
}
