import { spawn } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { BwrapEngine } from "../../src/sandbox/index.ts";
import { ERRNO, SYSCALLS, type Syscall } from "../../src/sandbox/syscalls.ts";
import { verifies } from "../verifies.ts";
import { attempt, perlCall } from "./attempt.ts";

const engine = new BwrapEngine();
const HOST = { kind: "host" } as const;
const MIB = 1 << 20;
const sh = (script: string, limits = {}, look?: (output: string) => void) =>
  attempt(engine, HOST, ["sh", "-c", script], limits, look);

afterAll(() => {
  const left = readdirSync("/sys/fs/cgroup", { recursive: false }).flatMap((folder) => {
    try {
      return readdirSync(`/sys/fs/cgroup/${folder}`).filter((name) => name.startsWith("sworn-"));
    } catch {
      return [];
    }
  });
  expect(left.filter((name) => name.includes(`-${process.pid}-`))).toEqual([]);
});

test("this machine can enforce everything that is asked for", async () => {
  expect(await engine.examine()).toEqual([]);
});

test("a task runs as an ordinary user with its own folders, streams and exit code", async () => {
  const { code, out, err } = await sh(
    "id -u; id -G; cat /workspace/input/given.txt; echo said > /dev/stderr; pwd; exit 7",
  );
  expect(out.split("\n")).toEqual(["1000", "1000", "given", "/workspace/data", ""]);
  expect([code, err]).toEqual([7, "said\n"]);
});

test("a program that is not there is named, and its task did not start", async () => {
  const { code, err } = await attempt(engine, HOST, ["no-such-program"]);
  expect([code, err]).toEqual([127, expect.stringContaining("no-such-program")]);
});

test("what the task writes to its output is there after its end, and gone after its release", async () => {
  let read = "";
  let path = "";
  await sh("echo kept > /workspace/output/a.txt", {}, (output) => {
    path = output;
    read = readFileSync(`${output}/a.txt`, "utf8");
  });
  expect(read).toBe("kept\n");
  expect(() => readdirSync(path)).toThrow();
});

verifies("004-36", "nothing outside of its folders can be written to", async () => {
  const places = [
    "/",
    "/usr/bin",
    "/etc",
    "/run",
    "/dev",
    "/workspace",
    "/workspace/input",
    "/proc",
  ];
  const tried = places.map((place) => `(: > ${place}/x) 2>/dev/null && echo ${place}`).join("; ");
  const { out } = await sh(`${tried}; chmod 777 /workspace/input/given.txt && echo chmod; true`);
  expect(out).toBe("");
});

test("a fork bomb ends at the number of processes, and the host goes on", async () => {
  const { code, limit } = await sh("f() { f | f & }; f; sleep 2; exit 9", {
    pids: 64,
    step_seconds: 20,
  });
  expect([code, limit]).not.toEqual([0, undefined]);
  expect(spawn("true").pid).toBeGreaterThan(0);
});

test("an allocation of eight gigabytes ends the task and is named", async () => {
  const script = "my $x = 'x' x (8 * 1024 ** 3); print length $x";
  const { code, limit, out } = await attempt(engine, HOST, ["perl", "-e", script], {
    memory_bytes: 64 * MIB,
  });
  expect(out).toBe("");
  expect(limit === "memory" || code !== 0).toBe(true);
});

test("what is kept in memory counts as memory", async () => {
  const { limit } = await sh("head -c 100000000 /dev/zero > /workspace/data/big", {
    memory_bytes: 48 * MIB,
  });
  expect(limit).toBe("memory");
});

test("temporary space, data and output are full when their size is reached", async () => {
  for (const place of ["/tmp", "/dev/shm", "/workspace/data", "/workspace/output"]) {
    const small = 4 * MIB;
    const { err } = await sh(`head -c 9000000 /dev/zero > ${place}/big`, {
      tmp_bytes: small,
      data_bytes: small,
      output_bytes: small,
    });
    expect(err).toContain("No space left on device");
  }
});

test("a million files end at the memory of the task", async () => {
  const script = "for (1..1000000) { open(my $f, '>', \"/workspace/output/$_\") or die $!; }";
  const { code, limit } = await attempt(engine, HOST, ["perl", "-e", script], {
    memory_bytes: 32 * MIB,
    output_bytes: 8 * MIB,
  });
  expect(code === 0 && limit === undefined).toBe(false);
});

test("a file larger than allowed is cut off", async () => {
  const { code } = await sh("head -c 3000000 /dev/zero > /workspace/data/big", {
    file_bytes: MIB,
  });
  expect(code).not.toBe(0);
});

test("open files end at their number", async () => {
  const { out } = await sh("ulimit -n; ulimit -Hn; ulimit -c", { open_files: 77 });
  expect(out).toBe("77\n77\n0\n");
});

const CALLS: readonly (readonly [Syscall, readonly number[], number])[] = [
  ["ptrace", [0, 0, 0, 0], ERRNO.EPERM],
  ["keyctl", [0, 0, 0, 0, 0], ERRNO.EPERM],
  ["add_key", [0, 0, 0, 0, 0], ERRNO.EPERM],
  ["io_uring_setup", [1, 0], ERRNO.EPERM],
  ["bpf", [0, 0, 0], ERRNO.EPERM],
  ["perf_event_open", [0, 0, -1, -1, 0], ERRNO.EPERM],
  ["userfaultfd", [0], ERRNO.EPERM],
  ["unshare", [0x1000_0000], ERRNO.EPERM],
  ["mount", [0, 0, 0, 0, 0], ERRNO.EPERM],
  ["chroot", [0], ERRNO.EPERM],
  ["settimeofday", [0, 0], ERRNO.EPERM],
  ["clock_settime", [0, 0], ERRNO.EPERM],
  ["process_vm_readv", [1, 0, 0, 0, 0, 0], ERRNO.EPERM],
  ["clone3", [0, 0], ERRNO.ENOSYS],
];

test.each(CALLS)("the kernel refuses %s to a task", async (call, args, errno) => {
  const { out } = await attempt(engine, HOST, perlCall(SYSCALLS[call], ...args));
  expect(out).toBe(`${errno}`);
});

test.each([
  ["packets", 17],
  ["vsock", 40],
  ["the kernel's own cryptography", 38],
  ["bluetooth", 31],
])("a socket of %s cannot be opened", async (_, family) => {
  const { out } = await attempt(engine, HOST, perlCall(SYSCALLS.socket, family, 3, 0));
  expect(out).toBe(`${ERRNO.EAFNOSUPPORT}`);
});

test("there is no name, no datagram and no version of IP that leads out", async () => {
  const script = `
    use Socket qw(:all);
    print defined(gethostbyname("example.org")) ? "named " : "";
    socket(my $u, PF_INET, SOCK_DGRAM, 0) or die;
    print send($u, "x", 0, pack_sockaddr_in(53, inet_aton("192.0.2.1"))) ? "v4 " : "";
    if (socket(my $s, PF_INET6, SOCK_STREAM, 0)) {
      print connect($s, pack_sockaddr_in6(80, inet_pton(AF_INET6, "2001:db8::1"))) ? "v6 " : "";
    }
    socket(my $l, PF_INET, SOCK_STREAM, 0) or die;
    print connect($l, pack_sockaddr_in(22, inet_aton("127.0.0.1"))) ? "host " : "";`;
  expect((await attempt(engine, HOST, ["perl", "-e", script])).out).toBe("");
});

test("an abstract socket of the host is not reachable from inside", async () => {
  const name = `sworn-test-${process.pid}`;
  const { createServer } = await import("node:net");
  const server = createServer((socket) => socket.end("leak"));
  await new Promise<void>((resolve) => server.listen(`\0${name}`, resolve));
  try {
    const script = `use Socket; socket(my $s, PF_UNIX, SOCK_STREAM, 0) or die;
      print connect($s, pack_sockaddr_un("\\0${name}")) ? "reached" : "no";`;
    expect((await attempt(engine, HOST, ["perl", "-e", script])).out).toBe("no");
  } finally {
    server.close();
  }
});

test("neither other processes nor the machine's own state are to be seen", async () => {
  const { out } = await sh(
    "ls /proc | grep -c '^[0-9]'; ls /sys /var /home /root 2>/dev/null; cat /proc/1/cmdline | tr '\\0' ' '; ls /var/run/docker.sock 2>/dev/null",
  );
  const [processes = "", ...rest] = out.trim().split("\n");
  expect(Number(processes)).toBeLessThan(6);
  expect(rest.join(" ").trim()).toBe("/run/sworn/launch");
});

test("a link out of the workspace leads nowhere, and none can be made to what is not there", async () => {
  let kind = "";
  const { out, code } = await sh(
    "ln -s /etc/shadow /workspace/output/link; cat /workspace/output/link; ln /usr/bin/env /workspace/output/hard",
    {},
    (output) => {
      kind = readdirSync(output, { withFileTypes: true })
        .map((one) => `${one.name} ${one.isSymbolicLink()}`)
        .join();
    },
  );
  expect([out, kind]).toEqual(["", "link true"]);
  expect(code).not.toBe(0);
});

test("device nodes cannot be made", async () => {
  const { code, err } = await sh("mknod /workspace/data/null c 1 3");
  expect([code, err]).toEqual([1, expect.stringContaining("Operation not permitted")]);
});

test("the clock of the host cannot be changed", async () => {
  const { err } = await sh("date -s '2001-01-01'");
  expect(err).toContain("Operation not permitted");
});

test("a process that leaves its session ends with the task all the same", async () => {
  const mark = `sworn-escape-${process.pid}`;
  await sh(
    `setsid sh -c 'exec -a ${mark} sleep 1000' >/dev/null 2>&1 & setsid sleep 1000 & exit 0`,
  );
  const alive = readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      const isOurs = statSync(`/proc/${pid}`).uid === engine.owner?.uid;
      // What has ended and was not buried yet runs no more.
      return isOurs && !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
    } catch {
      return false;
    }
  });
  expect(alive).toEqual([]);
});

test("killing everything it can see ends the task and nothing else", async () => {
  const { out } = await sh("kill -9 -1; kill -9 1; echo still");
  expect(out).toContain("still");
});

test("what the host had open does not come along", async () => {
  const { out } = await sh("ls /proc/self/fd");
  expect(out.trim().split("\n")).toEqual(["0", "1", "2", "3"]);
});

test("a word that is no program is refused before anything is made", async () => {
  await expect(attempt(engine, HOST, ["A=1"])).rejects.toThrow(
    'expected a program to run, found "A=1"',
  );
  await expect(attempt(engine, HOST, ["a\0b"])).rejects.toThrow("zero byte");
});

test("the first process is closed to the task, and tells the truth about its end", async () => {
  const { out, code } = await sh(
    "for f in mem environ fd maps syscall; do cat /proc/1/$f >/dev/null 2>&1 && echo $f; done; exit 6",
  );
  expect([out, code]).toEqual(["", 6]);
  expect((await sh("kill -SEGV $$")).code).toBe(139);
  expect((await sh("(sleep 0.2; exit 3) & exit 4")).code).toBe(4);
});
