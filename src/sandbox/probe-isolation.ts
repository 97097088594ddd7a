import type { LauncherWriter, Slot } from "./launcher.ts";
import { type Expected, type Question, resultIn, textIn } from "./question.ts";
import { ERRNO, errnoName, type Syscall } from "./syscalls.ts";

const AT_CWD = -100;
const CREATE_NEW = 0o301;
const STATUS_BYTES = 4_096;
const CLONE_NEWUSER = 0x1000_0000;
const CHARACTER_DEVICE = 0o020666;
const NULL_DEVICE = 0x103;
const BAD_ADDRESS = 1;

/** Folders in which nothing can be made, wherever they exist; everything else is below one of them. */
const READ_ONLY = ["/", "/usr", "/usr/bin", "/etc", "/dev", "/workspace", "/workspace/input"];

/** Each with arguments that do nothing where the call is allowed after all. */
const FORBIDDEN: readonly (readonly [Syscall, readonly number[]])[] = [
  ["ptrace", [0x4206, 0, 0, 0]],
  ["process_vm_readv", [1, 0, 0, 0, 0, 0]],
  ["keyctl", [0, 0, 0, 0, 0]],
  ["add_key", [BAD_ADDRESS, BAD_ADDRESS, 0, 0, 0]],
  ["request_key", [BAD_ADDRESS, BAD_ADDRESS, 0, 0]],
  ["bpf", [0, BAD_ADDRESS, 0]],
  ["perf_event_open", [BAD_ADDRESS, 0, -1, -1, 0]],
  ["io_uring_setup", [1, BAD_ADDRESS]],
  ["userfaultfd", [-1]],
  ["mount", [BAD_ADDRESS, BAD_ADDRESS, BAD_ADDRESS, 0, 0]],
  ["umount2", [BAD_ADDRESS, 0]],
  ["pivot_root", [BAD_ADDRESS, BAD_ADDRESS]],
  ["chroot", [BAD_ADDRESS]],
  ["fsopen", [BAD_ADDRESS, 0]],
  ["open_tree", [AT_CWD, BAD_ADDRESS, 0]],
  ["move_mount", [-1, BAD_ADDRESS, -1, BAD_ADDRESS, 0]],
  ["unshare", [CLONE_NEWUSER]],
  ["setns", [-1, 0]],
  ["clone", [CLONE_NEWUSER | 0x1_0000, 0, 0, 0, 0]],
  ["init_module", [BAD_ADDRESS, 0, BAD_ADDRESS]],
  ["kexec_load", [0, 0, BAD_ADDRESS, -1]],
  ["reboot", [0, 0, 0, 0]],
  ["swapon", [BAD_ADDRESS, 0]],
  ["settimeofday", [BAD_ADDRESS, 0]],
  ["clock_settime", [0, BAD_ADDRESS]],
  ["clock_adjtime", [0, BAD_ADDRESS]],
  ["adjtimex", [BAD_ADDRESS]],
  ["open_by_handle_at", [-1, BAD_ADDRESS, 0]],
  ["syslog", [10, 0, 0]],
  ["acct", [BAD_ADDRESS]],
];

/** That the task is nobody, can change nothing around it, and asks the kernel for little. */
export function isolationQuestions(writer: LauncherWriter, { uid }: Expected): Question[] {
  const status = writer.read("/proc/self/status", STATUS_BYTES);
  const statusOf = (report: Buffer) => textIn(report, status) ?? "";
  return [
    ...FORBIDDEN.map(([call, args]) => refused(call, writer.call(call, ...args), ERRNO.EPERM)),
    refused("clone3", writer.call("clone3", BAD_ADDRESS, 0), ERRNO.ENOSYS),
    device(writer),
    ...READ_ONLY.map((folder) => readOnly(writer, folder)),
    line("seccomp", statusOf, "Seccomp", "2"),
    line("no_new_privileges", statusOf, "NoNewPrivs", "1"),
    ...["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"].map((name) =>
      line("no_capabilities", statusOf, name, "0000000000000000"),
    ),
    line("unprivileged_uid", statusOf, "Uid", Array(4).fill(uid).join("\t")),
  ];
}

function refused(call: string, result: Slot, errno: number): Question {
  return {
    control: "seccomp",
    judge: (report) => {
      const found = resultIn(report, result);
      if (found === -errno) return undefined;
      const what = found < 0 ? errnoName(-found) : "that it is allowed";
      return `expected ${errnoName(errno)} from ${call}, found ${what}`;
    },
  };
}

function device(writer: LauncherWriter): Question {
  const path = writer.text("/tmp/.sworn-device").at;
  const result = writer.call("mknodat", AT_CWD, path, CHARACTER_DEVICE, NULL_DEVICE);
  return { ...refused("mknodat", result, ERRNO.EPERM), control: "no_capabilities" };
}

/** Docker makes this one anew, in memory and root's own: without capabilities that locks it as well. */
const LOCKED = "/dev";

function readOnly(writer: LauncherWriter, folder: string): Question {
  const path = writer.text(`${folder === "/" ? "" : folder}/.sworn-probe`).at;
  const result = writer.call("openat", AT_CWD, path, CREATE_NEW, 0o600);
  return {
    control: "read_only_root",
    judge: (report) => {
      const found = resultIn(report, result);
      if (found === -ERRNO.EROFS || found === -ERRNO.ENOENT) return undefined;
      if (found === -ERRNO.EACCES && folder === LOCKED) return undefined;
      const what = found < 0 ? errnoName(-found) : "that a file can be made";
      return `expected ${folder} to be read-only, found ${what}`;
    },
  };
}

function line(
  control: string,
  statusOf: (report: Buffer) => string,
  name: string,
  expected: string,
): Question {
  return {
    control,
    judge: (report) => {
      const found = new RegExp(`^${name}:\\t(.*)$`, "m").exec(statusOf(report))?.[1];
      return found === expected
        ? undefined
        : `expected ${name} to be ${expected.replaceAll("\t", " ")}, found ${found ?? "nothing"}`;
    },
  };
}
