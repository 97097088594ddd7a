import { execFileSync } from "node:child_process";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { observedRun } from "./observed-run.ts";

const sh = (script: string) => observedRun(["sh", "-c", script]);
/** The programs that the script itself started: the first two are the finder and the shell. */
const started = ({ processes }: Awaited<ReturnType<typeof sh>>) => processes.slice(2);

test("of 300 short processes none is missed, and each has its end, its folder and its parent", async () => {
  const seen = await sh(
    'i=0; while [ $i -lt 300 ]; do sh -c "exit $((i % 7))"; i=$((i + 1)); done; cd /; true; ls >/dev/null; exit 9',
  );
  expect(seen.end.code).toBe(9);
  expect(seen.gaps).toEqual([]);
  const short = started(seen).filter(({ argv }) => argv[0] === "/usr/bin/sh");
  expect(short.map(({ exit }) => exit)).toEqual(Array.from({ length: 300 }, (_, at) => at % 7));
  expect(new Set(short.map(({ cwd }) => cwd))).toEqual(new Set(["/workspace/data"]));
  expect(new Set(short.map(({ parent }) => parent))).toEqual(new Set([1]));
  const ls = seen.processes.at(-1);
  expect(ls).toMatchObject({ argv: ["/usr/bin/ls"], cwd: "/", exit: 0 });
  expect(seen.processes[0]).toMatchObject({ exit: 9, parent: undefined });
});

test("exit codes, signals, times and what a process became are told", async () => {
  const seen = await sh("sh -c 'kill -9 $$'; sh -c 'kill -TERM $$'; env sleep 0.3; exit 3");
  expect(started(seen).map(({ argv, exit, signal }) => [argv[0], exit, signal])).toEqual([
    ["/usr/bin/sh", undefined, "SIGKILL"],
    ["/usr/bin/sh", undefined, "SIGTERM"],
    ["/usr/bin/env", 0, undefined],
    ["/usr/bin/sleep", 0, undefined],
  ]);
  const [env, sleep] = started(seen).slice(-2);
  expect([sleep?.pid, sleep?.parent]).toEqual([env?.pid, 4]);
  expect((sleep?.endedMs ?? 0) - (sleep?.beganMs ?? 0)).toBeGreaterThanOrEqual(295);
  expect(seen.gaps).toEqual([]);
});

test("children that made a session of their own, or outlive their parent, are seen to their end", async () => {
  const seen = await sh("(setsid sh -c 'sleep 0.1; sh -c \"exit 4\"; exit 7' &); sleep 0.5");
  const late = seen.processes.find(({ argv }) => argv[2] === "exit 4");
  expect(late?.exit).toBe(4);
  const session = seen.processes.find(({ argv }) => argv[0] === "/usr/bin/setsid");
  expect(session?.exit).toBe(7);
  expect(seen.gaps).toEqual([]);
  // What is left at the end of the task ends with it, and that is seen as well.
  const left = await sh("setsid sleep 300 & sleep 0.1");
  const sleeper = left.processes.find(({ argv }) => argv.includes("300"));
  expect([sleeper?.signal, left.gaps]).toEqual(["SIGKILL", []]);
});

test("what counts is the file that was executed, not the name that it was given", async () => {
  const seen = await sh(
    'bash -c "exec -a /usr/bin/pytest /usr/bin/true --version"; ln -s /usr/bin/true here; ./here x',
  );
  const argvs = started(seen).map(({ argv }) => argv);
  expect(argvs).toContainEqual(["/usr/bin/true", "--version"]);
  expect(argvs).toContainEqual(["/workspace/data/here", "x"]);
  expect(argvs.flat()).not.toContain("/usr/bin/pytest");
});

test("an open file that is executed, and a thread that becomes another program, are seen", async () => {
  const script = [
    "import os, threading",
    "pid = os.fork()",
    "if pid == 0:",
    "    os.chdir('/usr'); fd = os.open('/usr/bin/true', os.O_RDONLY); os.execve(fd, ['a', 'b'], {})",
    "os.waitpid(pid, 0)",
    "t = threading.Thread(target=lambda: os.execv('/usr/bin/sh', ['sh', '-c', 'exit 6']))",
    "t.start(); t.join()",
  ].join("\n");
  const seen = await observedRun(["python3", "-c", script]);
  expect(seen.end.code).toBe(6);
  expect(seen.gaps).toEqual([]);
  const [open, became] = seen.processes.slice(-2);
  expect(open).toMatchObject({ argv: ["/usr/bin/true", "b"], cwd: "/usr", exit: 0 });
  expect(became).toMatchObject({ argv: ["/usr/bin/sh", "-c", "exit 6"], exit: 6 });
});

test("a program that was started hidden from whoever watches cannot start another, and is noticed", async () => {
  const script = [
    "import ctypes, os, signal",
    "libc = ctypes.CDLL(None, use_errno=True)",
    "pid = libc.syscall(56, 0x00800000 | signal.SIGCHLD, 0, 0, 0, 0)",
    "if pid == 0:",
    "    libc.execv(b'/usr/bin/true', (ctypes.c_char_p * 2)(b'true', None)); os._exit(ctypes.get_errno())",
    "print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))",
  ].join("\n");
  const seen = await observedRun(["python3", "-c", script]);
  // The kernel says that there is no such call.
  expect(seen.text.trim()).toBe("38");
  expect(seen.gaps).toContain("a process was started hidden");
  expect(seen.processes.filter(({ argv }) => argv[0] === "/usr/bin/true")).toEqual([]);
});

test("whatever a program is told comes through as it was told", async () => {
  const word = fc.oneof(
    fc.string({ unit: "binary", maxLength: 40 }),
    fc.constantFrom(
      '"',
      "\\",
      "\n",
      " <unfinished ...>",
      ") = 0",
      "\\x41",
      '"...',
      "+++ exited with 0 +++",
    ),
    fc.constant("x".repeat(2_000)),
  );
  const plain = word.filter((text) => !text.includes("\0") && text.isWellFormed());
  const lists = fc.sample(fc.array(plain, { maxLength: 6 }), { numRuns: 40, seed: 7 });
  // One after the other in one sandbox: the words come in as a file of their own.
  const script = [
    "import json, subprocess, sys",
    "for words in json.loads(sys.argv[1]): subprocess.run(['/usr/bin/true', *words])",
  ].join("\n");
  const seen = await observedRun(["python3", "-c", script, JSON.stringify(lists)]);
  expect(seen.gaps).toEqual([]);
  const told = seen.processes.filter(({ argv }) => argv[0] === "/usr/bin/true");
  const cut = (text: string) => {
    const bytes = Buffer.from(text);
    return bytes.length <= 1_024 ? text : `${bytes.subarray(0, 1_024).toString()}…`;
  };
  expect(told.map(({ argv }) => argv.slice(1))).toEqual(lists.map((words) => words.map(cut)));
});

test("when strace is killed the sandbox ends with it, and what was seen is not called complete", async () => {
  let killed = 0;
  const onOutput = () => {
    for (const pid of watchers()) {
      killed += 1;
      process.kill(pid, "SIGKILL");
    }
  };
  const began = performance.now();
  const seen = await observedRun(["sh", "-c", "echo begun; sleep 300; true"], { onOutput });
  expect(killed).toBe(1);
  expect(performance.now() - began).toBeLessThan(20_000);
  expect(seen.end.signal).toBe("SIGKILL");
  expect(seen.gaps.length).toBeGreaterThan(0);
});

function watchers(): number[] {
  const own = ["-o", "pid=,comm=", "--ppid", String(process.pid)];
  const lines = execFileSync("ps", own, { encoding: "utf8" }).split("\n");
  return lines.flatMap((line) => (line.endsWith(" strace") ? [Number.parseInt(line, 10)] : []));
}

test("a flood of processes is bounded, and said", async () => {
  // Each start tells as much as one may, so that the bound is reached soon.
  const script = [
    "import subprocess",
    "words = ['x' * 1000] * 1000",
    "for _ in range(20): subprocess.run(['/usr/bin/true', *words])",
  ].join("\n");
  const seen = await observedRun(["python3", "-c", script]);
  expect(seen.end.code).toBe(0);
  expect(seen.gaps).toEqual(["more than 10000 programs, or more told to them than is kept"]);
  expect(seen.processes.length).toBeLessThan(20);
});
