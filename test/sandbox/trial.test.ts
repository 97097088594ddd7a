import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tryProgram } from "../../src/sandbox/bwrap/trial.ts";
import { temporaryFolder } from "../fake/sandbox.ts";

test("a program that is tried says how it ended", async () => {
  const trial = await tryProgram("sh", ["-c", "echo out; echo err >&2; exit 3"]);
  expect(trial).toMatchObject({ code: 3, stdout: "out\n", stderr: "err\n" });
});

test("one that is not there is told apart from one that cannot be started", async () => {
  expect(await tryProgram("no-such-program-here", [])).toMatchObject({
    code: undefined,
    isMissing: true,
  });
  const path = join(temporaryFolder(), "program");
  writeFileSync(path, "#!/bin/sh\n");
  chmodSync(path, 0o644);
  // Node throws for the second, where it tells of the first in an event.
  for (const program of [path, `${path}/below`]) {
    expect(await tryProgram(program, [])).toMatchObject({
      code: undefined,
      isMissing: false,
      why: expect.stringMatching(/^it could not be started: .*(EACCES|ENOTDIR)/),
    });
  }
});

test("one that takes too long is ended, whatever it does about it", async () => {
  const script = 'trap "" TERM; echo begun; while :; do sleep 0.1; done';
  const trial = await tryProgram("sh", ["-c", script], undefined, 500);
  expect(trial).toMatchObject({
    code: undefined,
    isMissing: false,
    why: "it did not end within 500 ms",
  });
}, 20_000);

test("one that a signal ended has no code", async () => {
  const trial = await tryProgram("sh", ["-c", "kill -SEGV $$"]);
  expect(trial).toMatchObject({ code: undefined, why: "it was ended by SIGSEGV" });
});
