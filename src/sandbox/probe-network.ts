import type { LauncherWriter } from "./launcher.ts";
import { type Question, resultIn, textIn } from "./question.ts";
import { ERRNO, errnoName } from "./syscalls.ts";

const CONTROL = "network_none";
const SOCK_RAW = 3;
const SOCK_DGRAM = 2;
const AF_INET = 2;
const AF_INET6 = 10;
const NETLINK_KOBJECT_UEVENT = 15;
/** Unix, both versions of IP and netlink may be opened; what they reach is asked separately. */
const MAY_OPEN = [1, AF_INET, AF_INET6, 16];
/** Beyond the families that exist today. */
const FAMILIES = 48;
/** Addresses that documentation is written with; they lead nowhere, also where there is a network. */
const NOWHERE_V4 = Buffer.from([2, 0, 0, 9, 192, 0, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0]);
const NOWHERE_V6 = Buffer.from(
  "0a00000900000000" + "20010db8000000000000000000000001" + "00000000",
  "hex",
);
const READ_BYTES = 2_048;

/** That there is nothing to talk to, in whichever language. */
export function networkQuestions(writer: LauncherWriter): Question[] {
  return [
    ...Array.from({ length: FAMILIES }, (_, family) => family)
      .filter((family) => !MAY_OPEN.includes(family))
      .map((family) => closed(writer, `address family ${family}`, [family, SOCK_RAW, 0])),
    closed(writer, "kernel events", [16, SOCK_RAW, NETLINK_KOBJECT_UEVENT]),
    unreachable(writer, AF_INET, NOWHERE_V4),
    unreachable(writer, AF_INET6, NOWHERE_V6),
    onlyLoopback(writer),
    noRoutes(writer),
  ];
}

function closed(writer: LauncherWriter, what: string, args: readonly number[]): Question {
  const result = writer.call("socket", ...args);
  return {
    control: CONTROL,
    judge: (report) =>
      resultIn(report, result) < 0 ? undefined : `a socket of ${what} could be opened`,
  };
}

function unreachable(writer: LauncherWriter, family: number, address: Buffer): Question {
  const { opened, connected } = writer.connect(family, SOCK_DGRAM, address);
  const fine = [ERRNO.ENETUNREACH, ERRNO.EADDRNOTAVAIL, ERRNO.EAFNOSUPPORT].map((errno) => -errno);
  return {
    control: CONTROL,
    judge: (report) => {
      if (resultIn(report, opened) < 0) return undefined;
      const result = resultIn(report, connected);
      if (fine.includes(result)) return undefined;
      const found = result < 0 ? errnoName(-result) : "a way there";
      return `expected no route to an outside address of family ${family}, found ${found}`;
    },
  };
}

function onlyLoopback(writer: LauncherWriter): Question {
  const file = writer.read("/proc/net/dev", READ_BYTES);
  return {
    control: CONTROL,
    judge: (report) => {
      const text = textIn(report, file);
      if (text === undefined) return "the list of network interfaces could not be read";
      const names = text.split("\n").flatMap((line) => /^\s*([^:\s]+):/.exec(line)?.[1] ?? []);
      const others = names.filter((name) => name !== "lo");
      return others.length === 0 ? undefined : `there are network interfaces: ${others.join(", ")}`;
    },
  };
}

function noRoutes(writer: LauncherWriter): Question {
  const file = writer.read("/proc/net/route", READ_BYTES);
  return {
    control: CONTROL,
    judge: (report) => {
      const lines = textIn(report, file)?.trimEnd().split("\n");
      if (lines === undefined) return "the list of routes could not be read";
      return lines.length <= 1 ? undefined : `there are ${lines.length - 1} routes`;
    },
  };
}
