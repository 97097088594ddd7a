import type { BlobReader } from "../../repo/index.ts";
import {
  FILE_MEMBERS,
  type FileMember,
  LANGUAGES_READ,
  ReviewPool,
  type SourceFile,
  treeReviewers,
} from "../../scan/index.ts";
import { fileKind, isGenerated, isLockfile, isMarked } from "../../scan/kind/index.ts";
import type { Gap } from "../../schema/review.ts";
import { showContext } from "./context-files.ts";
import { finishInto, type OpenReading, stopInto, takeInto } from "./open-reading.ts";
import { isSource, type ReadText, readText, type SubjectFile } from "./subject.ts";
import {
  type BuiltInOutcome,
  emptyTally,
  foreignGap,
  settle,
  type Tally,
  toOutcome,
} from "./tally.ts";

/** What all of them found, what nobody read, and which of that is source that could not be read. */
export interface BuiltInResult {
  readonly outcomes: readonly BuiltInOutcome[];
  readonly unread: readonly Gap[];
  readonly gaps: readonly Gap[];
  readonly unreadable: readonly string[];
  /** Code in languages that no reviewer of code reads. */
  readonly foreign: readonly string[];
}

export interface BuiltInOptions {
  readonly threads: number;
  readonly signal: AbortSignal;
  /** All paths of the reviewed tree, for those who look for what is missing. */
  readonly paths: ReadonlySet<string>;
  /** What only those look at who doubt that a machine made it. */
  readonly doubted?: readonly SubjectFile[];
  /** A file of the tree that is not under review, for those who need it to judge the others. */
  readonly readOther: (path: string) => Promise<ReadText>;
  /** Called whenever a file was read or a reviewer is done with one. */
  readonly onProgress: (progress: ReviewProgress) => void;
}

/** How far a review has come. */
export interface ReviewProgress {
  /** Files that the threads are done with, of all. */
  readonly done: number;
  readonly of: number;
  /** Each reviewer with the files it is done with and what it found so far. */
  readonly reviewers: readonly { readonly name: string; done: number; found: number }[];
}

/**
 * How far reading may run ahead of reviewing, in characters: so far that those who need the whole
 * tree can begin while the threads are still at work, and not so far that a tree fills the memory.
 */
const AHEAD_CHARS_MAX = 2_000_000;
/** How many contents are asked for before the first of them is needed. */
const READ_AHEAD = 4;
const STOPPED = "the review was stopped";

/**
 * Runs every built-in reviewer over the files. What cannot be read, and what a reviewer fails on,
 * is a gap of that reviewer; nothing counts as looked at that was not.
 */
export async function runBuiltIn(
  files: readonly SubjectFile[],
  blobs: BlobReader,
  options: BuiltInOptions,
): Promise<BuiltInResult> {
  const run = new BuiltInRun(options);
  const ahead: ReturnType<typeof readText>[] = [];
  const askAhead = (index: number) => {
    for (const file of files.slice(index + ahead.length, index + READ_AHEAD)) {
      const reading = readText(blobs, file);
      // Told when its turn comes; one that nobody waits for any more is no crash.
      reading.catch(() => undefined);
      ahead.push(reading);
    }
  };
  try {
    for (const [index, file] of files.entries()) {
      if (options.signal.aborted) {
        run.leaveOut(files.slice(index), STOPPED);
        break;
      }
      askAhead(index);
      await run.handOut(file, (await ahead.shift()) ?? { why: "it cannot be read" });
      run.onRead(index + 1, files.length);
    }
    await run.takeDoubted(blobs);
    return await run.finish();
  } finally {
    await run.close();
  }
}

/** One pass of all built-in reviewers over some files. */
class BuiltInRun {
  readonly #pool: ReviewPool;
  readonly #readings: readonly OpenReading[];
  readonly #options: BuiltInOptions;
  readonly #tallies: ReadonlyMap<string, Tally>;
  readonly #unread: Gap[] = [];
  /** Code that nobody reads as code, by its language. */
  readonly #foreign = new Map<string, string[]>();
  #isCodeRead = false;
  readonly #unreadable: string[] = [];
  readonly #underWay = new Set<Promise<void>>();
  #charsUnderWay = 0;
  /** Told when a thread is done with a file. */
  #onRoom: (() => void) | undefined;
  #files = { done: 0, of: 0 };

  constructor(options: BuiltInOptions) {
    const { threads, paths, signal } = options;
    this.#options = options;
    this.#pool = new ReviewPool(threads);
    this.#tallies = new Map(FILE_MEMBERS.map((one) => [one.name, emptyTally(one)]));
    this.#readings = treeReviewers(paths).map((reviewer) => ({
      tally: emptyTally(reviewer),
      reviewer,
      reading: reviewer.start(),
      taken: new Set<string>(),
    }));
    // Threads at work do not hear of an interrupt by themselves.
    signal.addEventListener("abort", () => void this.#pool.close(), { once: true });
  }

  /** Gives a file to those who read such files, or says why nobody does. */
  async handOut(file: SubjectFile, read: ReadText): Promise<void> {
    if ("why" in read) {
      this.leaveOut([file], read.why);
      if (isSource(file.path)) this.#unreadable.push(file.path);
      return;
    }
    const { path } = file;
    const why = isGenerated(path, read.text);
    if (why === undefined) {
      this.#noteLanguage(path, read.text);
      await this.take({ path, text: read.text });
    } else this.leaveOut([file], why);
    if (isMarked(path, read.text)) await this.#takeMarked({ path, text: read.text });
    if (isLockfile(path)) this.takeLockfile({ path, text: read.text });
  }

  /** Gives a file to everybody whom it concerns; waits while too many are under way. */
  async take(file: SourceFile): Promise<void> {
    for (const one of this.#readings) {
      if (one.reviewer.covers(file.path)) takeInto(one, file);
    }
    await this.#handToThreads(file, FILE_MEMBERS);
  }

  /** A mark is its author's word: it must not keep those away who look for harm. */
  async #takeMarked(file: SourceFile): Promise<void> {
    await this.#handToThreads(
      file,
      FILE_MEMBERS.filter(({ doubtsMarks }) => doubtsMarks),
    );
  }

  /** The same for names; who is stopped by then has said so. */
  async takeDoubted(blobs: BlobReader): Promise<void> {
    for (const file of this.#options.doubted ?? []) {
      if (this.#options.signal.aborted) return;
      const read = await readText(blobs, file);
      if ("text" in read) await this.#takeMarked({ path: file.path, text: read.text });
    }
  }

  async #handToThreads(file: SourceFile, reviewers: readonly FileMember[]): Promise<void> {
    const { length } = file.text;
    const task: Promise<void> = this.#review(file, reviewers).finally(() => {
      this.#underWay.delete(task);
      this.#charsUnderWay -= length;
      this.#tell();
      this.#onRoom?.();
    });
    this.#underWay.add(task);
    this.#charsUnderWay += length;
    while (this.#charsUnderWay > AHEAD_CHARS_MAX) {
      await new Promise<void>((resolve) => {
        this.#onRoom = resolve;
      });
    }
  }

  /** Code in a language that no reviewer of code reads must not count as looked at. */
  #noteLanguage(path: string, text: string): void {
    const { form, language } = fileKind(path, text);
    if (form !== "code") return;
    if (LANGUAGES_READ.has(language)) this.#isCodeRead = true;
    else this.#foreign.set(language, [...(this.#foreign.get(language) ?? []), path]);
  }

  onRead(done: number, of: number): void {
    this.#files = { done, of };
    this.#tell();
  }

  #tell(): void {
    const reviewers = this.#allTallies().map(({ name, given, found }) => ({
      name,
      done: given,
      found: found.length,
    }));
    const { done, of } = this.#files;
    // A file that is marked goes to the threads twice, and one that was just handed out is not counted yet.
    this.#options.onProgress({ done: Math.max(0, done - this.#underWay.size), of, reviewers });
  }

  #allTallies(): Tally[] {
    return [...this.#tallies.values(), ...this.#readings.map(({ tally }) => tally)];
  }

  /** A lockfile says something to few; to the others it stays a file that nobody wrote. */
  takeLockfile(file: SourceFile): void {
    for (const one of this.#readings) {
      if (one.reviewer.readsLockfiles && one.reviewer.covers(file.path)) takeInto(one, file);
    }
  }

  leaveOut(files: readonly SubjectFile[], why: string): void {
    this.#unread.push(...files.map(({ path }) => ({ what: path, why })));
  }

  async finish(): Promise<BuiltInResult> {
    await Promise.all([this.#finishReadings(), ...this.#underWay]);
    const gaps = [...this.#foreign].map(foreignGap);
    const foreign = [...this.#foreign.values()].flat();
    // Where no other code was read either, nobody can say that nothing is wrong with it.
    const unreadable = this.#isCodeRead ? this.#unreadable : [...this.#unreadable, ...foreign];
    const isStopped = this.#options.signal.aborted;
    const outcomes = this.#allTallies().map((tally) => toOutcome({ ...tally, isStopped }));
    return { outcomes, unread: this.#unread, unreadable, foreign, gaps };
  }

  async #finishReadings(): Promise<void> {
    for (const one of this.#readings) {
      await showContext(one, this.#options);
      if (this.#options.signal.aborted) stopInto(one.tally, STOPPED);
      else await finishInto(one, this.#options.signal);
    }
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  async #review(file: SourceFile, reviewers: readonly FileMember[]): Promise<void> {
    const concerned = reviewers.filter((one) => one.covers(file.path));
    if (concerned.length === 0) return;
    const names = concerned.map(({ name }) => name);
    for (const outcome of await this.#pool.review(file, names)) {
      settle(this.#tallies.get(outcome.reviewer), file.path, outcome);
    }
  }
}
