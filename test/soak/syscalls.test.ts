import { expect, test } from "vitest";
import { FAULTS, filesHit, LASTING_FAULTS, survivesAll } from "../fault/call-faults.ts";

/** A guard against hanging: hundreds of processes under strace take their time. */
const HANG_GUARD_MS = 1_200_000;

const ALL = { ...FAULTS, ...LASTING_FAULTS };

test(
  "a disk that fails from any write, fsync or rename on loses nothing",
  async () => {
    const names = ["pwrite64", "fsync", "fdatasync", "rename"];
    const ended = await survivesAll(names, undefined, LASTING_FAULTS);
    expect(ended.length).toBeGreaterThan(40);
    expect(filesHit(ended)).toEqual(
      expect.arrayContaining(["incoming", "sha256", "ledger.db", "ledger.db-wal", "head"]),
    );
  },
  HANG_GUARD_MS,
);

test(
  "a fault at any cut, deletion or new folder loses nothing",
  async () => {
    const ended = await survivesAll(["ftruncate", "mkdir", "unlink"], undefined, ALL);
    expect(ended.length).toBeGreaterThan(24);
    expect(filesHit(ended)).toEqual(expect.arrayContaining(["incoming", "sha256"]));
  },
  HANG_GUARD_MS,
);

test(
  "a fault at any opening of a file of the store or the state loses nothing",
  async () => {
    const isOurs = (call: string) => /\.sworn|\.head"|\/keys\//.test(call);
    const ended = await survivesAll(["openat"], isOurs, ALL);
    expect(ended.length).toBeGreaterThan(24);
    expect(filesHit(ended)).toEqual(expect.arrayContaining(["ledger.db", "head"]));
  },
  HANG_GUARD_MS,
);
