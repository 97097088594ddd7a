import { ERRNO, SYSCALLS, type Syscall } from "./syscalls.ts";

/** One condition on an argument of a system call; only its lower 32 bits count. */
export interface ArgumentTest {
  readonly argument: number;
  /** Bits that are looked at. */
  readonly mask: number;
  readonly equals: number;
}

/** What happens to a system call. Later ones of the same call are asked when earlier ones did not fit. */
export interface SeccompRule {
  readonly call: Syscall;
  /** All must fit; none means always. */
  readonly when: readonly ArgumentTest[];
  /** The error that the task gets, or leave to go on. */
  readonly answer: number | "allow";
}

/** Never needed by what builds and tests software, and each a way out or a way to look around. */
const DENIED: readonly Syscall[] = [
  "ptrace",
  "process_vm_readv",
  "process_vm_writev",
  "kcmp",
  "pidfd_getfd",
  "keyctl",
  "add_key",
  "request_key",
  "bpf",
  "perf_event_open",
  "userfaultfd",
  "io_uring_setup",
  "io_uring_enter",
  "io_uring_register",
  "mount",
  "umount2",
  "pivot_root",
  "chroot",
  "move_mount",
  "open_tree",
  "fsopen",
  "fsconfig",
  "fsmount",
  "fspick",
  "mount_setattr",
  "unshare",
  "setns",
  "init_module",
  "finit_module",
  "delete_module",
  "kexec_load",
  "kexec_file_load",
  "reboot",
  "swapon",
  "swapoff",
  "settimeofday",
  "clock_settime",
  "clock_adjtime",
  "adjtimex",
  "acct",
  "quotactl",
  "quotactl_fd",
  "syslog",
  "iopl",
  "ioperm",
  "open_by_handle_at",
  "name_to_handle_at",
  "lookup_dcookie",
  "fanotify_init",
  "vhangup",
  "modify_ldt",
  "uselib",
  "sysfs",
];

const ALL_BITS = 0xffff_ffff;
const AF_UNIX = 1;
const AF_INET = 2;
const AF_INET6 = 10;
const AF_NETLINK = 16;
const NETLINK_ROUTE = 0;
/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET. */
const NEW_NAMESPACES = [
  0x0002_0000, 0x0200_0000, 0x0400_0000, 0x0800_0000, 0x1000_0000, 0x2000_0000, 0x4000_0000,
];
/** Puts characters into a terminal as if somebody had typed them. */
const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;

const is = (argument: number, equals: number): ArgumentTest => ({
  argument,
  mask: ALL_BITS,
  equals,
});
const has = (argument: number, bit: number): ArgumentTest => ({ argument, mask: bit, equals: bit });
const always = (call: Syscall, answer: SeccompRule["answer"]): SeccompRule => ({
  call,
  when: [],
  answer,
});

/**
 * What tasks may not ask of the kernel, in every engine. Families of sockets are a list of what is
 * allowed: AF_VSOCK and AF_ALG open without any network, and there will be others.
 */
export const SECCOMP_RULES: readonly SeccompRule[] = [
  ...DENIED.map((call) => always(call, ERRNO.EPERM)),
  // The C library falls back to `clone`, whose flags can be judged; those of `clone3` cannot.
  always("clone3", ERRNO.ENOSYS),
  ...NEW_NAMESPACES.map(
    (bit): SeccompRule => ({ call: "clone", when: [has(0, bit)], answer: ERRNO.EPERM }),
  ),
  ...[AF_UNIX, AF_INET, AF_INET6].map(
    (family): SeccompRule => ({ call: "socket", when: [is(0, family)], answer: "allow" }),
  ),
  // Programs list network interfaces through this one; in a network of its own it tells nothing.
  { call: "socket", when: [is(0, AF_NETLINK), is(2, NETLINK_ROUTE)], answer: "allow" },
  always("socket", ERRNO.EAFNOSUPPORT),
  { call: "socketpair", when: [is(0, AF_UNIX)], answer: "allow" },
  always("socketpair", ERRNO.EAFNOSUPPORT),
  { call: "ioctl", when: [is(1, TIOCSTI)], answer: ERRNO.EPERM },
  { call: "ioctl", when: [is(1, TIOCLINUX)], answer: ERRNO.EPERM },
];

const BPF = { load: 0x20, and: 0x54, equal: 0x15, atLeast: 0x35, return: 0x06 } as const;
const RETURN = { kill: 0x8000_0000, error: 0x0005_0000, allow: 0x7fff_0000 } as const;
const AUDIT_ARCH_X86_64 = 0xc000_003e;
/** Calls of the x32 interface have this bit; they would slip past numbers that are compared. */
const X32_BIT = 0x4000_0000;
const OFFSET = { call: 0, arch: 4, arguments: 16 } as const;

type Instruction = readonly [code: number, k: number, jumpTrue?: number, jumpFalse?: number];

/** The filter as the kernel takes it. */
export function seccompProgram(rules: readonly SeccompRule[] = SECCOMP_RULES): Buffer {
  const program: Instruction[] = [
    [BPF.load, OFFSET.arch],
    [BPF.equal, AUDIT_ARCH_X86_64, 1, 0],
    [BPF.return, RETURN.kill],
    [BPF.load, OFFSET.call],
    [BPF.atLeast, X32_BIT, 0, 1],
    [BPF.return, RETURN.error | ERRNO.ENOSYS],
    ...rules.flatMap(instructionsOf),
    [BPF.return, RETURN.allow],
  ];
  const bytes = Buffer.alloc(8 * program.length);
  for (const [at, [code, k, jumpTrue = 0, jumpFalse = 0]] of program.entries()) {
    bytes.writeUInt16LE(code, 8 * at);
    bytes.writeUInt8(jumpTrue, 8 * at + 2);
    bytes.writeUInt8(jumpFalse, 8 * at + 3);
    bytes.writeUInt32LE(k >>> 0, 8 * at + 4);
  }
  return bytes;
}

/** Each rule begins and ends with the number of the call loaded. */
function instructionsOf({ call, when, answer }: SeccompRule): Instruction[] {
  const last: Instruction = [
    BPF.return,
    answer === "allow" ? RETURN.allow : RETURN.error | (answer & 0xffff),
  ];
  const tests = when.flatMap(({ argument, mask, equals }, index): Instruction[] => {
    const behind = 3 * (when.length - 1 - index) + 1;
    return [
      [BPF.load, OFFSET.arguments + 8 * argument],
      [BPF.and, mask],
      [BPF.equal, equals, 0, behind],
    ];
  });
  const reload: Instruction[] = when.length === 0 ? [] : [[BPF.load, OFFSET.call]];
  const body = [...tests, last];
  return [[BPF.equal, SYSCALLS[call], 0, body.length + reload.length], ...body, ...reload];
}
