import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, cpSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { importFolder } from "../../../src/sandbox/docker/image.ts";
import { DockerEngine } from "../../../src/sandbox/docker/index.ts";
import type { RootFiles } from "../../../src/sandbox/engine.ts";
import { ERRNO, SYSCALLS, type Syscall } from "../../../src/sandbox/syscalls.ts";
import { temporaryFolder } from "../../fake/sandbox.ts";
import { attempt } from "../attempt.ts";
import { busyboxRoot, daemonForFile } from "./daemon.ts";

const MIB = 1 << 20;
const file = daemonForFile();
let engine: DockerEngine;
let root: RootFiles;

/** Busybox, and perl with what it needs: the language that attacks are written in here. */
beforeAll(async () => {
  const { folder, client, socket } = file.daemon;
  const files = busyboxRoot(folder);
  const modules = execFileSync("perl", ["-MSocket", "-e", "print join qq(\\n), @INC, values %INC"]);
  const base =
    modules
      .toString()
      .split("\n")
      .find((path) => path.endsWith("/perl-base")) ?? "";
  const shared = execFileSync("ldd", ["/usr/bin/perl"]).toString();
  const libraries = [...shared.matchAll(/(\/\S+) \(0x/g)].map((match) => match[1] ?? "");
  for (const path of ["/usr/bin/perl", ...libraries]) {
    mkdirSync(join(files, dirname(path)), { recursive: true });
    copyFileSync(path, join(files, path));
  }
  chmodSync(join(files, "usr/bin/perl"), 0o755);
  cpSync(base, join(files, base), { recursive: true });
  const image = await importFolder(client, files);
  root = { kind: "image", id: image, digest: image };
  engine = new DockerEngine({ host: `unix://${socket}`, state: join(folder, "state") });
});

const sh = (script: string, limits = {}, look?: (output: string) => void) =>
  attempt(engine, root, ["sh", "-c", script], limits, look);
const perl = (script: string, limits = {}) => attempt(engine, root, ["perl", "-e", script], limits);

const CALLS: readonly (readonly [Syscall, readonly number[], number])[] = [
  ["ptrace", [0, 0, 0, 0], ERRNO.EPERM],
  ["keyctl", [0, 0, 0, 0, 0], ERRNO.EPERM],
  ["add_key", [0, 0, 0, 0, 0], ERRNO.EPERM],
  ["io_uring_setup", [1, 0], ERRNO.EPERM],
  ["bpf", [0, 0, 0], ERRNO.EPERM],
  ["perf_event_open", [0, 0, -1, -1, 0], ERRNO.EPERM],
  ["userfaultfd", [0], ERRNO.EPERM],
  ["unshare", [0x1000_0000], ERRNO.EPERM],
  ["setns", [0, 0], ERRNO.EPERM],
  ["mount", [0, 0, 0, 0, 0], ERRNO.EPERM],
  ["chroot", [0], ERRNO.EPERM],
  ["pivot_root", [0, 0], ERRNO.EPERM],
  ["settimeofday", [0, 0], ERRNO.EPERM],
  ["clock_settime", [0, 0], ERRNO.EPERM],
  ["process_vm_readv", [1, 0, 0, 0, 0, 0], ERRNO.EPERM],
  ["open_by_handle_at", [-1, 0, 0], ERRNO.EPERM],
  ["clone3", [0, 0], ERRNO.ENOSYS],
];

test("the kernel refuses to a task what leads out or around", async () => {
  const tries = CALLS.map(
    ([name, args]) =>
      `$r = syscall(${[SYSCALLS[name], ...args].join(", ")}); print "${name} ", ($r < 0 ? 0 + $! : "done"), "\\n";`,
  );
  const { out } = await perl(`my $r; ${tries.join(" ")}`);
  expect(out.trim().split("\n")).toEqual(CALLS.map(([name, , errno]) => `${name} ${errno}`));
});

test("no family of sockets but the harmless ones can be opened", async () => {
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
    socket(my $l, PF_INET, SOCK_STREAM, 0) or die;
    print connect($l, pack_sockaddr_in(22, inet_aton("127.0.0.1"))) ? "host " : "";`;
  expect((await perl(script)).out).toBe("");
});

test("a socket of the host is not reachable, neither by an abstract name nor by its path", async () => {
  const name = `sworn-test-${process.pid}`;
  const server = createServer((socket) => socket.end("leak"));
  await new Promise<void>((resolve) => server.listen(`\0${name}`, resolve));
  onTestFinished(() => void server.close());
  const places = [`\\0${name}`, file.daemon.socket, "/var/run/docker.sock", "/run/docker.sock"];
  const list = places.map((place) => `"${place}"`).join(", ");
  const script = `use Socket; for my $at (${list}) {
    socket(my $s, PF_UNIX, SOCK_STREAM, 0) or die;
    print connect($s, pack_sockaddr_un($at)) ? "reached" : "no "; }`;
  expect((await perl(script)).out).toBe("no no no no ");
});

test("a million files end at a bound, and the host does not notice", async () => {
  const script = "for (1..1000000) { open(my $f, '>', \"/workspace/output/$_\") or die $!; }";
  const { code, limit } = await perl(script, { memory_bytes: 32 * MIB, output_bytes: 8 * MIB });
  expect(code === 0 && limit === undefined).toBe(false);
});

test("an allocation of eight gigabytes ends the task", async () => {
  const script = "my $x = 'x' x (8 * 1024 ** 3); print length $x";
  const { code, limit, out } = await perl(script, { memory_bytes: 64 * MIB });
  expect(out).toBe("");
  expect(limit === "memory" || code !== 0).toBe(true);
});

test("what is kept in memory counts as memory", async () => {
  const { limit } = await sh("head -c 100000000 /dev/zero > /workspace/data/big", {
    memory_bytes: 48 * MIB,
  });
  expect(limit).toBe("memory");
});

test("nothing outside of its folders can be written to", async () => {
  const places = ["/", "/usr/bin", "/etc", "/run", "/run/sworn", "/dev", "/workspace"];
  const kernel = ["/workspace/input", "/proc", "/proc/sys/kernel", "/sys", "/sys/fs/cgroup"];
  const tried = [...places, ...kernel].map((at) => `(: > ${at}/x) 2>/dev/null && echo ${at}`);
  const settings = [
    "/proc/sys/kernel/core_pattern",
    "/proc/sysrq-trigger",
    "/proc/1/oom_score_adj",
  ];
  const set = settings.map((at) => `(echo -1 > ${at}) 2>/dev/null && echo ${at}`);
  const { out } = await sh([...tried, ...set, "true"].join("; "));
  expect(out).toBe("");
});

test("neither other processes, nor keys of the runtime, nor files of the host are to be seen", async () => {
  const keys = join(temporaryFolder(), "keys");
  mkdirSync(keys);
  writeFileSync(join(keys, "runtime.json"), "secret");
  const { out } = await sh(
    `ls /proc | grep -c '^[0-9]'; cat ${keys}/runtime.json /proc/kcore /proc/keys 2>/dev/null; ls ${dirname(file.daemon.folder)}/*/ 2>/dev/null; env | grep -i -E 'token|secret|sworn'`,
  );
  const [processes, ...rest] = out.trim().split("\n");
  expect(Number(processes)).toBeLessThan(8);
  expect(rest).toEqual([]);
});

test("a link out of the workspace leads nowhere, and device nodes cannot be made", async () => {
  let names: string[] = [];
  const { out, err } = await sh(
    "ln -s /etc/shadow /workspace/output/link; cat /workspace/output/link; ln /bin/busybox /workspace/output/hard; mknod /workspace/output/null c 1 3; date -s 2001-01-01",
    {},
    (output) => {
      names = readdirSync(output);
    },
  );
  expect([out.replace(/.*2001\n$/, ""), names]).toEqual(["", ["link"]]);
  expect(err.match(/Operation not permitted/g)?.length).toBe(2);
});

test("killing everything it can see ends the task and nothing else", async () => {
  const { out } = await sh("kill -9 1; kill -9 -1; echo still");
  expect(out).toBe("still\n");
  expect(await engine.examine()).toEqual([]);
});

test("what the host and the engine had open does not come along", async () => {
  const { out } = await sh("ls /proc/self/fd");
  expect(out.trim().split("\n")).toEqual(["0", "1", "2", "3"]);
});
