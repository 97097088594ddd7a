import { Readable } from "node:stream";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readTrace } from "../../../src/run/observe/index.ts";

const hex = (text: string) =>
  `"${[...Buffer.from(text)].map((byte) => `\\x${byte.toString(16)}`).join("")}"`;
const exec = (...argv: string[]) =>
  `execve(${hex(argv[0] ?? "")}, [${argv.map(hex).join(", ")}], 0x1`;
const LINES = [
  `1.000000 ${exec("/usr/bin/bwrap")}) = 0`,
  "1.000001 clone(child_stack=NULL, flags=CLONE_NEWPID|SIGCHLD) = 11",
  `[pid    11] 1.000002 ${exec("/launch")} /* 0 vars */) = 0`,
  "[pid    11] 1.100000 fork() = 2",
  `[pid    12] 1.200000 chdir(${hex("sub")}) = 0`,
  `[pid    12] 1.300000 ${exec("/usr/bin/make", "all")} /* 9 vars */ <unfinished ...>`,
  "[pid    11] 1.300001 --- SIGTERM {si_signo=SIGTERM, si_code=SI_USER} ---",
  "[pid    12] 1.300002 <... execve resumed>) = 0",
  "[pid    12] 1.500000 +++ exited with 2 +++",
  "[pid    11] 1.600000 +++ killed by SIGKILL +++",
  "1.700000 +++ exited with 137 +++",
];

const read = (chunks: readonly string[]) =>
  readTrace({
    lines: Readable.from(chunks.map((chunk) => Buffer.from(chunk))),
    launcher: "/launch",
    cwd: "/place",
  });
const readLines = (lines: readonly string[]) => read([lines.map((line) => `${line}\n`).join("")]);

const SEEN = {
  processes: [
    {
      ...{ pid: 12, argv: ["/usr/bin/make", "all"], cwd: "/place/sub", parent: undefined },
      ...{ beganMs: 1_300, endedMs: 1_500, exit: 2, signal: undefined },
    },
  ],
  gaps: [],
};

test("a trace is read in whatever pieces it comes", async () => {
  const text = LINES.map((line) => `${line}\n`).join("");
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(text.length), { maxLength: 20 }), async (cuts) => {
      const places = [0, ...cuts.toSorted((a, b) => a - b), text.length];
      const pieces = places.map((at, index) => text.slice(at, places[index + 1]));
      expect(await read(pieces)).toEqual(SEEN);
    }),
  );
});

test("programs of other processes are told of as they begin; what the task's own becomes is not", async () => {
  const told = async (lines: readonly string[]) => {
    let count = 0;
    const text = lines.map((line) => `${line}\n`).join("");
    const trace = { lines: Readable.from([Buffer.from(text)]), launcher: "/launch", cwd: "/place" };
    await readTrace(trace, () => {
      count += 1;
    });
    return count;
  };
  const became = `[pid    12] 1.400000 ${exec("/usr/bin/cc")}) = 0`;
  const child = `[pid    13] 1.400001 ${exec("/usr/bin/as")}) = 0`;
  const again = `[pid    13] 1.400002 ${exec("/usr/bin/ld")}) = 0`;
  const missing = `[pid    13] 1.400003 ${exec("/usr/bin/none")}) = -1 ENOENT`;
  expect(await told([...LINES.slice(0, 8), became, ...LINES.slice(8)])).toBe(0);
  const more = [became, child, again, missing];
  expect(await told([...LINES.slice(0, 8), ...more, ...LINES.slice(8)])).toBe(2);
});

test("what every copy of a process does first says nothing of what runs, whole or in two parts", async () => {
  const first = "[pid    12] 1.150000 set_robust_list(0x7f0000000a20, 24) = 0";
  const parts = [
    "[pid    12] 1.150000 set_robust_list(0x7f0000000a20, 24 <unfinished ...>",
    "[pid    12] 1.150001 <... set_robust_list resumed>) = 0",
  ];
  for (const said of [[first], parts]) {
    expect(await readLines([...LINES.slice(0, 4), ...said, ...LINES.slice(4)])).toEqual(SEEN);
  }
});

const DROPPED = "[pid    12] 1.490000 ???( <unfinished ...>";

test("a call that was dropped because its process was ended is no gap", async () => {
  expect(await readLines([...LINES.slice(0, 8), DROPPED, ...LINES.slice(8)])).toEqual(SEEN);
});

test.each([
  [
    "a call that could not be read, of a process that went on",
    [...LINES.slice(0, 5), DROPPED, ...LINES.slice(5)],
    "a call could not be read, and its process went on",
  ],
  [
    "a line that strace does not write",
    [...LINES.slice(0, 5), "who knows", ...LINES.slice(5)],
    "a line of the trace could not be read",
  ],
  [
    "a start that cannot be read",
    LINES.with(5, "[pid    12] 1.300000 execve(0x7f01, 0x7f02, 0x7f03 <unfinished ...>"),
    "the start of a program could not be read",
  ],
  ["an end that is missing", LINES.toSpliced(8, 1), "1 did not end before the watching did"],
  [
    "a call that nobody saw begin",
    LINES.toSpliced(5, 1),
    "a call came back that nobody had seen begin",
  ],
  ["no beginning", LINES.toSpliced(2, 1), "the beginning was not seen"],
  [
    "a line without a number among several",
    LINES.with(8, "1.500000 +++ exited with 2 +++"),
    "a line names no process",
  ],
])("%s is noticed", async (_, lines, gap) => {
  expect((await readLines(lines)).gaps).toContain(gap);
});

test("what is cut off within a line, or breaks off with an error, is noticed", async () => {
  const text = LINES.map((line) => `${line}\n`).join("");
  expect((await read([text, "1.8"])).gaps).toEqual(["the trace was cut off"]);
  const broken = async function* () {
    yield Buffer.from(text);
    throw new Error("gone");
  };
  const lines = Readable.from(broken());
  const { gaps } = await readTrace({ lines, launcher: "/launch", cwd: "/place" });
  expect(gaps).toEqual(["the trace was cut off"]);
});

test("a line without an end is not kept, and said", async () => {
  const piece = "x".repeat(1 << 20);
  const { gaps } = await read([
    ...LINES.map((line) => `${line}\n`),
    ...Array<string>(9).fill(piece),
    "\n",
  ]);
  expect(gaps).toContain("a line of the trace has more than 8388608 characters");
});

test("where parents cannot be told, a folder is unknown and not guessed", async () => {
  const { processes, gaps } = await readLines(LINES.toSpliced(3, 1));
  expect([processes[0]?.cwd, gaps]).toEqual([undefined, []]);
});
