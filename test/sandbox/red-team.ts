import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Engine, RootFiles } from "../../src/sandbox/index.ts";
import { ERRNO, SYSCALLS, type Syscall } from "../../src/sandbox/syscalls.ts";
import type { Limits } from "../../src/schema/execution.ts";
import { temporaryFolder } from "../fake/sandbox.ts";
import { attempt } from "./attempt.ts";
import { isOpen, listening } from "./host-sockets.ts";

/** An engine that is to hold, and a root with a shell, perl and its Socket module. */
export interface Target {
  readonly engine: Engine;
  readonly root: RootFiles;
  /** Podman names the memory as the reason only where it hit the first process. */
  readonly isMemoryUnnamed?: boolean;
}

const MIB = 1 << 20;
const CLONE_NEWUSER = 0x1000_0000;

/** Each with arguments that are harmless where it is allowed, and the error that a task must get. */
const CALLS: readonly (readonly [Syscall, readonly number[], number])[] = [
  ["ptrace", [0, 0, 0, 0], ERRNO.EPERM],
  ["keyctl", [0, 0, 0, 0, 0], ERRNO.EPERM],
  ["add_key", [0, 0, 0, 0, 0], ERRNO.EPERM],
  ["request_key", [0, 0, 0, 0], ERRNO.EPERM],
  ["io_uring_setup", [1, 0], ERRNO.EPERM],
  ["bpf", [0, 0, 0], ERRNO.EPERM],
  ["perf_event_open", [0, 0, -1, -1, 0], ERRNO.EPERM],
  ["userfaultfd", [0], ERRNO.EPERM],
  ["unshare", [CLONE_NEWUSER], ERRNO.EPERM],
  ["clone", [CLONE_NEWUSER, 0, 0, 0, 0], ERRNO.EPERM],
  ["clone3", [0, 0], ERRNO.ENOSYS],
  ["setns", [0, 0], ERRNO.EPERM],
  ["mount", [0, 0, 0, 0, 0], ERRNO.EPERM],
  ["umount2", [0, 0], ERRNO.EPERM],
  ["chroot", [0], ERRNO.EPERM],
  ["pivot_root", [0, 0], ERRNO.EPERM],
  ["settimeofday", [0, 0], ERRNO.EPERM],
  ["clock_settime", [0, 0], ERRNO.EPERM],
  ["adjtimex", [0], ERRNO.EPERM],
  ["process_vm_readv", [1, 0, 0, 0, 0, 0], ERRNO.EPERM],
  ["open_by_handle_at", [-1, 0, 0], ERRNO.EPERM],
];

/** Attempts to get out, to see more, to take too much or to stay: all of them, for one engine. */
export function redTeam(target: () => Target): void {
  const run = (
    argv: readonly string[],
    limits?: Partial<Limits>,
    look?: (output: string) => void,
  ) => {
    const { engine, root } = target();
    return attempt(engine, root, argv, limits, look);
  };
  const sh = (script: string, limits?: Partial<Limits>, look?: (output: string) => void) =>
    run(["sh", "-c", script], limits, look);
  const perl = (script: string, limits?: Partial<Limits>) => run(["perl", "-e", script], limits);
  takingTooMuch(sh, perl, target);
  gettingOut(sh, perl, target);
  seeingMore(sh, perl);
  staying(sh, perl);
}

/** Tries to write everywhere but to its own folders. Called by the test that names the rule, for each engine. */
export async function writesNowhereElse({ engine, root }: Target): Promise<void> {
  const places = [
    ..."/ /usr/bin /etc /run /run/sworn /dev /workspace /workspace/input".split(" "),
    ..."/proc /proc/sys/kernel /sys /sys/fs/cgroup".split(" "),
  ];
  const settings = "/proc/sys/kernel/core_pattern /proc/sysrq-trigger /proc/1/oom_score_adj";
  const tried = places.map((at) => `(: > ${at}/x) 2>/dev/null && echo ${at}`);
  const set = settings.split(" ").map((at) => `(echo -1 > ${at}) 2>/dev/null && echo ${at}`);
  const mode = "chmod 777 /workspace/input/given.txt 2>/dev/null && echo chmod";
  const script = [...tried, ...set, mode, "echo tried"].join("; ");
  expect((await attempt(engine, root, ["sh", "-c", script])).out).toBe("tried\n");
}

type Run = (
  script: string,
  limits?: Partial<Limits>,
  look?: (output: string) => void,
) => ReturnType<typeof attempt>;

function takingTooMuch(sh: Run, perl: Run, target: () => Target): void {
  test("a fork bomb ends at the number of processes, and the host goes on", async () => {
    const counting = "while (defined(my $p = fork)) { if (!$p) { sleep 100; exit } $n++ } print $n";
    const { out } = await perl(counting, { pids: 64 });
    expect(Number(out)).toBeGreaterThan(30);
    expect(Number(out)).toBeLessThan(64);
    const bomb = perl("fork while 1", { pids: 64, step_seconds: 2 });
    expect(spawnSync("true").status).toBe(0);
    expect((await bomb).limit).toBe("step_seconds");
  });

  test("an allocation of eight gigabytes ends the task", async () => {
    const script = "my $x = 'x' x (8 * 1024 ** 3); print length $x";
    const { code, limit, out } = await perl(script, { memory_bytes: 64 * MIB });
    expect(out).toBe("");
    expect(limit === "memory" || code !== 0).toBe(true);
  });

  test("what is kept in memory counts as memory", async () => {
    const script = "head -c 100000000 /dev/zero > /workspace/data/big && echo stored";
    const { limit, out } = await sh(script, { memory_bytes: 48 * MIB });
    expect([limit, out]).toEqual([target().isMemoryUnnamed ? undefined : "memory", ""]);
  });

  test("a million files end at a bound", async () => {
    const script = "for (1..1000000) { open(my $f, '>', \"/workspace/output/$_\") or die $!; }";
    const { code, limit } = await perl(script, { memory_bytes: 32 * MIB, output_bytes: 8 * MIB });
    expect(code === 0 && limit === undefined).toBe(false);
  });

  test("a flood of output ends the task, on either stream", async () => {
    for (const to of ["", " >&2"]) {
      const { limit, out, err } = await sh(`yes flood${to}`, { stream_bytes: MIB });
      expect([limit, out.length + err.length]).toEqual(["stream_bytes", MIB]);
    }
  });

  test("temporary space, data and output are full when their size is reached", async () => {
    const small = { tmp_bytes: 4 * MIB, data_bytes: 4 * MIB, output_bytes: 4 * MIB };
    const places = ["/tmp", "/dev/shm", "/workspace/data", "/workspace/output"];
    const fill = (at: string) =>
      `dd if=/dev/zero of=${at}/big bs=1M count=9 2>&1 | grep -c 'No space left'; wc -c < ${at}/big`;
    const { out } = await sh(places.map(fill).join("; "), small);
    expect(out.trim().split(/\s+/)).toEqual(places.flatMap(() => ["1", `${4 * MIB}`]));
  });

  test("a file ends at its largest size, and open files at their number", async () => {
    const { out } = await sh(
      "head -c 3000000 /dev/zero > big 2>/dev/null; wc -c < big; ulimit -n; ulimit -Hn; ulimit -c",
      { file_bytes: MIB, open_files: 77 },
    );
    expect(out.trim().split(/\s+/)).toEqual([`${MIB}`, "77", "77", "0"]);
  });
}

function gettingOut(sh: Run, perl: Run, target: () => Target): void {
  test("the kernel refuses to a task what leads out or around", async () => {
    const tries = CALLS.map(
      ([name, args]) =>
        `$r = syscall(${[SYSCALLS[name], ...args].join(", ")}); print "${name} ", ($r < 0 ? 0 + $! : "done"), "\\n";`,
    );
    const { out } = await perl(`my $r; ${tries.join(" ")}`);
    expect(out.trim().split("\n")).toEqual(CALLS.map(([name, , errno]) => `${name} ${errno}`));
  });

  test("no family of sockets but the harmless ones can be opened: neither vsock nor packets", async () => {
    const script = `for my $f (0..47) { for my $t (1..5) {
      my $r = syscall(${SYSCALLS.socket}, $f, $t, 0); $open{$f} = 1 if $r >= 0; } }
      print join(" ", sort { $a <=> $b } keys %open);`;
    expect((await perl(script)).out).toBe("1 2 10 16");
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
      print "tried";`;
    expect((await perl(script)).out).toBe("tried");
  });

  test("no socket of the host is reachable: by port, by abstract name or by path", async () => {
    const path = join(temporaryFolder(), "host.sock");
    const name = `sworn-test-${process.pid}`;
    for (const place of [path, `\0${name}`]) await listening(place);
    const port = await listening(0);
    const places = [path, `\\0${name}`, "/var/run/docker.sock", "/run/docker.sock"];
    const script = `use Socket; for my $at (${places.map((one) => `"${one}"`).join(", ")}) {
      socket(my $s, PF_UNIX, SOCK_STREAM, 0) or die;
      print connect($s, pack_sockaddr_un($at)) ? "reached " : "no "; }
      socket(my $s, PF_INET, SOCK_STREAM, 0) or die;
      print connect($s, pack_sockaddr_in(${port}, INADDR_LOOPBACK)) ? "reached" : "no";`;
    expect((await perl(script)).out).toBe("no no no no no");
  });

  test("a relay inside serves the inside alone: it leads nowhere, and nobody outside can use it", async () => {
    const port = await listening(0);
    const free = await listening(0, true);
    const script = `
      use Socket; $| = 1;
      socket(my $l, PF_INET, SOCK_STREAM, 0) or die;
      bind($l, pack_sockaddr_in(${free}, INADDR_ANY)) && listen($l, 5) or die "listen $!";
      if (!fork) {
        accept(my $c, $l) or die;
        for my $to (INADDR_LOOPBACK, inet_aton("192.0.2.1")) {
          socket(my $o, PF_INET, SOCK_STREAM, 0) or die;
          syswrite $c, connect($o, pack_sockaddr_in(${port}, $to)) ? "leak " : "shut ";
        }
        exit;
      }
      socket(my $s, PF_INET, SOCK_STREAM, 0) or die;
      connect($s, pack_sockaddr_in(${free}, INADDR_LOOPBACK)) or die "connect $!";
      print while sysread $s, $_, 100;
      print "listening"; sleep 1;`;
    let tried: Promise<boolean> | undefined;
    const onOutput = (): void => {
      tried ??= isOpen(free);
    };
    const { engine, root } = target();
    const argv = ["perl", "-e", script];
    const { out, err } = await attempt(engine, root, argv, {}, undefined, { onOutput });
    expect([out, err, await tried]).toEqual(["shut shut listening", "", false]);
  });

  test("links out of the workspace lead nowhere, and neither hard links nor device nodes can be made", async () => {
    let names: string[] = [];
    const made = [
      "ln -s /etc/shadow link; cat link 2>/dev/null",
      "ln /bin/sh hard",
      "ln /workspace/input/given.txt hard",
      "ln /proc/1/exe hard",
      "mknod null c 1 3",
      "mknod disk b 8 0",
    ];
    const { out } = await sh(`cd /workspace/output; ${made.join("; ")}`, {}, (output) => {
      names = readdirSync(output);
    });
    expect([out, names]).toEqual(["", ["link"]]);
  });

  test("the clock of the host cannot be changed", async () => {
    const before = Date.now();
    const { err } = await sh("date -s '2001-01-01 00:00:00'");
    expect(err).toContain("Operation not permitted");
    expect(Math.abs(Date.now() - before)).toBeLessThan(3_600_000);
  });
}

function seeingMore(sh: Run, perl: Run): void {
  test("neither other processes, nor keys of the runtime, nor the machine's own state are to be seen", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "keys"));
    writeFileSync(join(folder, "keys/runtime.json"), "secret");
    const { out } = await sh(
      `ls /proc | grep -c '^[0-9]'
      cat ${folder}/keys/runtime.json /proc/1/root${folder}/keys/runtime.json 2>/dev/null
      ls ${folder} /home /root /var/lib/docker /proc/1/cwd/../home 2>/dev/null
      head -c 64 /proc/kcore 2>/dev/null; cat /proc/keys 2>/dev/null; dmesg 2>/dev/null
      grep -v '^0* ' /proc/kallsyms 2>/dev/null | head -3
      env | grep -i -E 'token|secret|sworn'; ls /var/run/docker.sock /run/docker.sock 2>/dev/null`,
    );
    const [processes, ...rest] = out.trim().split("\n");
    expect(Number(processes)).toBeLessThan(8);
    expect(rest).toEqual([]);
  });

  test("what the kernel tells in /sys names no disk and no network of the host", async () => {
    const { out } = await sh("ls /sys/class/net /sys/firmware /sys/kernel/security 2>/dev/null");
    const words = out.split(/\s+/).filter((word) => word !== "" && !word.endsWith(":"));
    expect(words.filter((word) => word !== "lo")).toEqual([]);
  });

  test("the first process is closed to the task, and what the host had open does not come along", async () => {
    const { out } = await sh(
      "for f in mem environ fd maps syscall; do cat /proc/1/$f >/dev/null 2>&1 && echo $f; done; ls /proc/1/fd 2>/dev/null; ls /proc/self/fd",
    );
    expect(out.trim().split("\n")).toEqual(["0", "1", "2", "3"]);
    const traced = `print syscall(${SYSCALLS.ptrace}, 16, 1, 0, 0) < 0 ? "no" : "attached"`;
    expect((await perl(traced)).out).toBe("no");
  });
}

function staying(sh: Run, perl: Run): void {
  test("a process that leaves its session ends with the task all the same", async () => {
    const mark = `sworn-escape-${process.pid}`;
    const { code, out } = await perl(`
      use POSIX "setsid";
      if (!fork) { setsid(); exit if fork; $SIG{$_} = "IGNORE" for keys %SIG; "${mark}"; sleep 1000; exit }
      wait; print "gone"; exit 0`);
    expect([code, out]).toEqual([0, "gone"]);
    const alive = readdirSync("/proc").filter((pid) => {
      if (!/^\d+$/.test(pid)) return false;
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(mark);
      } catch {
        // It ended meanwhile.
        return false;
      }
    });
    expect(alive).toEqual([]);
  });

  test("killing its parent and everything else it can see ends nothing but the task's own", async () => {
    const { out, code } = await sh(
      "sleep 100 & kill -9 $PPID; kill -9 1; kill -9 -1; echo still; exit 5",
    );
    expect([out, code]).toEqual(["still\n", 5]);
  });
}
