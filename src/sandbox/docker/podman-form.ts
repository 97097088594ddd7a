import * as z from "zod";
import type { Json } from "../../base/index.ts";
import type { ContainerPlan } from "./container-spec.ts";
import { quotaUs } from "./container-spec.ts";

const Text = z.string().catch("");
const Members = z.record(z.string(), z.unknown()).catch({});

/** What podman gives a container unless told otherwise; asked to drop all, it lists these as dropped. */
const GIVEN = (
  "AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD NET_BIND_SERVICE NET_RAW SETFCAP " +
  "SETGID SETPCAP SETUID SYS_CHROOT"
).split(" ");
/** Options that podman adds to a folder in memory by itself. */
const ADDED = new Set(["rprivate", "tmpcopyup"]);

/**
 * Podman's description of a container in Docker's words. Only spellings are changed here, and what
 * podman never tells is filled in where it is seen otherwise: namespaces and hidden files from the
 * kernel, capabilities from inside.
 */
export function fromPodman(answer: Json, plan: ContainerPlan): Json {
  const inspected = Members.parse(answer);
  const host = Members.parse(inspected["HostConfig"]);
  const config = Members.parse(inspected["Config"]);
  const command = [inspected["Path"], ...z.array(z.string()).catch([]).parse(inspected["Args"])];
  // A program without arguments is named twice.
  const isTwice = command.length === 2 && command[0] === command[1];
  const [Path, ...Args] = isTwice ? command.slice(1) : command;
  const asked = { AttachStdin: true, AttachStdout: true, AttachStderr: true, StdinOnce: true };
  const { Test } = Members.parse(config["Healthcheck"]);
  const plain = { ...config, ...asked, Healthcheck: { Test } };
  return { ...inspected, Path, Args, Config: plain, HostConfig: hostInForm(host, plan) } as Json;
}

function hostInForm(host: Record<string, unknown>, plan: ContainerPlan): Record<string, unknown> {
  const quota = quotaUs(plan.task.limits.cpu_thousandths);
  const isAsAsked = (name: string, value: unknown) => (host[name] === value ? 0 : host[name]);
  const isOwn = (name: string, word: string) => (host[name] === word ? "" : host[name]);
  return {
    ...host,
    CapDrop: dropped(host["CapDrop"]),
    Ulimits: z.array(Members).catch([]).parse(host["Ulimits"]).map(ulimitInForm),
    Tmpfs: Object.fromEntries(
      Object.entries(Members.parse(host["Tmpfs"])).map(([path, options]) => [
        path,
        without(options),
      ]),
    ),
    IpcMode: host["IpcMode"] === "shareable" ? "private" : host["IpcMode"],
    CgroupnsMode: host["CgroupnsMode"] === "" ? "private" : host["CgroupnsMode"],
    PidMode: isOwn("PidMode", "private"),
    UTSMode: isOwn("UTSMode", "private"),
    CpuPeriod: isAsAsked("CpuPeriod", 100_000),
    CpuQuota: isAsAsked("CpuQuota", quota),
    MemorySwappiness: isAsAsked("MemorySwappiness", -1),
    // Not told when it was not asked for.
    Init: host["Init"] ?? false,
    // The same mounts a second time; the list of them is compared.
    Binds: null,
    MaskedPaths: undefined,
    ReadonlyPaths: undefined,
  };
}

function dropped(value: unknown): unknown {
  const names = z.array(z.string()).catch([]).parse(value);
  return GIVEN.every((name) => names.includes(name)) ? ["ALL"] : value;
}

function ulimitInForm(ulimit: Record<string, unknown>): Record<string, unknown> {
  return {
    ...ulimit,
    Name: Text.parse(ulimit["Name"])
      .replace(/^RLIMIT_/, "")
      .toLowerCase(),
  };
}

function without(options: unknown): string {
  return Text.parse(options)
    .split(",")
    .filter((option) => !ADDED.has(option))
    .join(",");
}
