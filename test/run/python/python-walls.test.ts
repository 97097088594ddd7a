import { chmodSync, cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Answer } from "../../../src/run/python/frames.ts";
import { askFrame } from "../../../src/run/python/frames.ts";
import { PythonPool } from "../../../src/run/python/index.ts";
import { PythonServer } from "../../../src/run/python/python-server.ts";
import { BwrapEngine, type Engine, type Prepared } from "../../../src/sandbox/index.ts";
import { temporaryFolder } from "../../fake/sandbox.ts";

const engine = new BwrapEngine();
const root = { kind: "host" } as const;
const SYS = "31";

/** Lets everything in: what is left then is the wall around the process. */
const NO_RULES = `
import ctypes, json, os, socket, threading
def judged(code, data):
    if data != b"7": return b""
    exec(code.decode(), globals())
    return b"well"
`;

describe("with no rules at all about what is let in,", () => {
  test("the process of an assertion opens, starts, reaches and stops nothing, and its server goes on", async () => {
    const bounds = { width: 1, wallMs: 700, memoryBytes: 192 << 20 };
    const waiting: ((answer: Answer) => void)[] = [];
    const take = (answer: Answer) => waiting.shift()?.(answer);
    const server = await PythonServer.start({ engine, root }, bounds, take, NO_RULES);
    onTestFinished(async () => {
      server.stop();
      await server.ended;
    });
    let number = 0;
    const tried = async (code: string) => {
      number += 1;
      server.ask(askFrame(number, code, "7"));
      const { ending, text } = await new Promise<Answer>((resolve) => waiting.push(resolve));
      return `${ending} ${text}`;
    };
    for (const code of [
      "os.stat('/')",
      "os.readlink('/proc/self/exe')",
      "os.fork()",
      "threading.Thread(target=print).start()",
      "os.execv('/bin/true', ['true'])",
      "socket.socket(socket.AF_INET)",
      "socket.socket(socket.AF_UNIX).connect('/workspace/input/python.sock')",
      "socket.socketpair()",
      "os.kill(os.getppid(), 9)",
      "os.kill(2, 9)",
      "os.kill(-1, 9)",
      "os.kill(os.getpid(), 19)",
      "os.setsid()",
      "os.pipe()",
      "os.read(0, 1)",
      "ctypes.CDLL(None).ptrace(16, 2, 0, 0)",
      "ctypes.CDLL(None).prctl(22, 0, 0, 0, 0)",
      "ctypes.CDLL(None).syscall(0x40000000 + 39)",
    ]) {
      expect([code, await tried(code)]).toEqual([code, `signalled ${SYS}`]);
    }
    // It finds nothing, and goes on to its own end.
    for (const code of ["open('/etc/passwd')", "os.listdir('/')", "os.open('/proc/self/mem', 2)"]) {
      const tries = `try:\n    ${code}\nexcept FileNotFoundError:\n    os._exit(9)`;
      expect([code, await tried(tries)]).toEqual([code, "silent 9"]);
    }
    for (const code of ["os.close(0)\nwhile True: pass", "os.write(0, b'x' * (1 << 20))"]) {
      expect([code, (await tried(code)).startsWith("answered")]).toEqual([code, false]);
    }
    expect(await tried("ctypes.string_at(0)")).toBe("signalled 11");
    expect(await tried("os._exit(0)")).toBe("answered ");
    expect(await tried("1")).toBe("answered well");
  });
});

/** The server, and behind it the processes that it forked; their numbers alone would say nothing of that. */
function forks(prepared: Prepared | undefined): number[] {
  const { processes } = prepared?.usage() ?? { processes: [] };
  const pythons = processes.filter(({ argv }) => argv[0] === "python3").map(({ pid }) => pid);
  const server = pythons.find((pid) => !pythons.includes(parentOf(pid)));
  return server === undefined ? [] : [server, ...pythons.filter((pid) => pid !== server)];
}

/** Zero when it is gone by now. */
function parentOf(pid: number): number {
  try {
    return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1]);
  } catch {
    return 0;
  }
}

/** An engine whose sandboxes can be ended from outside. */
class LentEngine implements Engine {
  readonly name = engine.name;
  readonly owner = engine.owner;
  readonly prepared: Prepared[] = [];
  readonly examine = () => engine.examine();
  readonly reap = () => engine.reap();

  async prepare(task: Parameters<Engine["prepare"]>[0]): Promise<Prepared> {
    const prepared = await engine.prepare(task);
    this.prepared.push(prepared);
    return prepared;
  }
}

describe("a pool that loses its interpreter", () => {
  test("starts another one, asks again what was lost, and gives up on who lost it twice", async () => {
    const lent = new LentEngine();
    const pool = new PythonPool({ engine: lent, root, width: 1 });
    onTestFinished(() => pool.close());
    expect(await pool.judge("assert result", 1)).toMatchObject({ kind: "holds" });
    const slow = pool.judge("while result: pass\nassert 1", 1);
    lent.prepared[0]?.stop("for a test");
    expect(await slow).toMatchObject({ kind: "ended", by: "time" });
    const again = pool.judge("while result: pass\nassert 1", 1);
    lent.prepared[1]?.stop("for a test");
    // Until a second one was forked to wait in its place: then it was asked.
    while (forks(lent.prepared[2]).length < 3) await setImmediate();
    lent.prepared[2]?.stop("for a test");
    expect(await again).toMatchObject({ kind: "ended", by: "server" });
    expect(await pool.judge("assert result", 1)).toMatchObject({ kind: "holds" });
  });

  test("and is closed answers whatever is asked, and leaves nothing running", async () => {
    const lent = new LentEngine();
    const pool = new PythonPool({ engine: lent, root, width: 1 });
    const asked = ["1", "2"].map((code) => pool.judge(`while result: pass\nassert ${code}`, 1));
    await pool.close();
    for (const word of await Promise.all(asked)) expect(word.kind).not.toBe("holds");
    await Promise.all(lent.prepared.map(({ end }) => end));
    expect(await pool.judge("assert result", 1)).toMatchObject({ kind: "unavailable" });
  });
});

describe("a process that was forked ahead", () => {
  test("and is gone when it is asked is replaced by another one", async () => {
    const lent = new LentEngine();
    const pool = new PythonPool({ engine: lent, root, width: 1 });
    onTestFinished(() => pool.close());
    expect(await pool.judge("assert result", 1)).toMatchObject({ kind: "holds" });
    while (forks(lent.prepared[0]).length !== 2) await setImmediate();
    const waiting = forks(lent.prepared[0])[1] as number;
    process.kill(waiting, "SIGKILL");
    // Its memory goes before its pipes do: only when nothing waits but its burial are they closed.
    while (!readFileSync(`/proc/${waiting}/stat`, "utf8").includes(") Z ")) await setImmediate();
    expect(await pool.judge("assert result == 2", 2)).toEqual({ kind: "holds", checks: 1 });
    expect(lent.prepared.length).toBe(1);
  });

  test("is not asked what is longer than its pipe holds, and that is judged all the same", async () => {
    const pool = new PythonPool({ engine, root, width: 1 });
    onTestFinished(() => pool.close());
    const long = "x".repeat(1_000_000);
    expect(await pool.judge("assert len(result) == 1000000", long)).toMatchObject({ checks: 1 });
    expect(await pool.judge("assert len(result) == 7", long)).toMatchObject({ kind: "fails" });
  });

  test("and is too small for a question waits for the next one", async () => {
    const lent = new LentEngine();
    const pool = new PythonPool({ engine: lent, root, width: 1 });
    onTestFinished(() => pool.close());
    expect(await pool.judge("assert result", 1)).toMatchObject({ kind: "holds" });
    while (forks(lent.prepared[0]).length !== 2) await setImmediate();
    const before = forks(lent.prepared[0]);
    const long = "x".repeat(100_000);
    expect(await pool.judge("assert len(result) == 100000", long)).toMatchObject({ checks: 1 });
    while (forks(lent.prepared[0]).length !== 2) await setImmediate();
    expect(forks(lent.prepared[0])).toEqual(before);
  });

  test("is done without where the system lets nothing be forked just then", async () => {
    const scarce = `
import errno, os
def judged(code, data):
    return b"well" if data == b"7" else b""
whole, counts = os.fork, {"fork": 0}
def fork():
    counts["fork"] += 1
    if counts["fork"] % 2 == 1:
        raise BlockingIOError(errno.EAGAIN, "too many")
    return whole()
os.fork = fork
`;
    const answers: Answer[] = [];
    const bounds = { width: 2, wallMs: 700, memoryBytes: 192 << 20 };
    const server = await PythonServer.start(
      { engine, root },
      bounds,
      (one) => answers.push(one),
      scarce,
    );
    let isOver = false;
    const over = server.ended.then(() => {
      isOver = true;
    });
    for (let number = 1; number <= 6; number += 1) {
      server.ask(askFrame(number, "", "7"));
      while (answers.length < number && !isOver) await setImmediate();
    }
    expect([answers.map(({ text }) => text), isOver]).toEqual([Array(6).fill("well"), false]);
    server.stop();
    await over;
  });

  test("knows nothing of what was asked before", async () => {
    const pool = new PythonPool({ engine, root, width: 1 });
    onTestFinished(() => pool.close());
    for (const value of [1, 2, 3]) {
      const asked = `seen = result\nassert result == ${value}`;
      expect(await pool.judge(asked, value)).toMatchObject({ kind: "holds" });
      expect(await pool.judge("assert seen == result", value)).toMatchObject({ kind: "refused" });
    }
  });
});

describe("where python3 is not whole", () => {
  test("the answer says what is missing and how to get it", async () => {
    const without = new PythonPool({ engine, root: emptyRoot() });
    expect(await without.judge("assert result", 1)).toEqual({
      kind: "unavailable",
      why: "python3 is not installed; install it with: apt-get install python3",
    });
    await without.close();
    const script = "#!/usr/bin/busybox sh\necho \"No module named 'resource'\" >&2\nexit 1\n";
    const half = new PythonPool({ engine, root: emptyRoot(script) });
    expect(await half.judge("assert result", 1)).toMatchObject({
      kind: "unavailable",
      why: expect.stringContaining("without its module resource") as string,
    });
    await half.close();
  });
});

/** A root with busybox in it and, where one is given, something called python3. */
function emptyRoot(python?: string) {
  const path = join(temporaryFolder(), "root");
  for (const folder of ["usr/bin", "dev", "proc", "tmp", "etc", "run/sworn", "workspace"]) {
    mkdirSync(join(path, folder), { recursive: true });
  }
  for (const folder of ["input", "data", "output"]) mkdirSync(join(path, "workspace", folder));
  writeFileSync(join(path, "run/sworn/launch"), "");
  cpSync("/usr/bin/busybox", join(path, "usr/bin/busybox"));
  symlinkSync("busybox", join(path, "usr/bin/env"));
  if (python !== undefined) writeFileSync(join(path, "usr/bin/python3"), python, { mode: 0o755 });
  chmodSync(join(path, ".."), 0o755);
  return { kind: "folder", path, digest: "" } as const;
}
