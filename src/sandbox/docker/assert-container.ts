import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { type Json, SwornError } from "../../base/index.ts";
import {
  type ContainerPlan,
  containerConfig,
  hostConfig,
  plannedMounts,
} from "./container-spec.ts";
import { withAlgorithm } from "./image.ts";
import { fromPodman } from "./podman-form.ts";

const Inspected = z.object({
  Id: z.string().regex(/^[0-9a-f]{64}$/),
  Image: z.string(),
  Path: z.string(),
  Args: z.array(z.string()),
  HostConfig: z.record(z.string(), z.unknown()),
  Config: z.record(z.string(), z.unknown()),
  Mounts: z.array(
    z.object({
      Type: z.string(),
      Source: z.string(),
      Destination: z.string(),
      RW: z.boolean(),
    }),
  ),
});
type Inspected = z.infer<typeof Inspected>;

/**
 * Reads back what the engine made and compares it with what it was asked for. A setting that an
 * engine ignores, drops or adds would otherwise show only when somebody makes use of it.
 *
 * @throws SwornError `SANDBOX_REFUSED`, naming each setting that differs.
 */
export function assertContainer(answer: Json, plan: ContainerPlan): void {
  const parsed = Inspected.safeParse(plan.kind === "podman" ? fromPodman(answer, plan) : answer);
  if (!parsed.success) throw refused(plan, ["the engine does not say what it made"]);
  const differences = [
    ...imageDifferences(parsed.data, plan),
    ...mountDifferences(parsed.data, plan),
    ...configDifferences(parsed.data.Config, plan),
    ...hostDifferences(parsed.data.HostConfig, plan),
  ];
  if (differences.length > 0) throw refused(plan, differences);
}

function imageDifferences({ Image, Path, Args }: Inspected, plan: ContainerPlan): string[] {
  const { Entrypoint } = containerConfig(plan);
  return [
    ...differ("Image", plan.image, withAlgorithm(Image)),
    ...differ("Path", Entrypoint, [Path, ...Args]),
  ];
}

function mountDifferences({ Mounts }: Inspected, plan: ContainerPlan): string[] {
  const asked = plannedMounts(plan).map(
    ({ Type, Source, Target, ReadOnly }) => `${Type} ${Source} ${Target} ${ReadOnly ? "ro" : "rw"}`,
  );
  const made = Mounts.map(
    ({ Type, Source, Destination, RW }) => `${Type} ${Source} ${Destination} ${RW ? "rw" : "ro"}`,
  );
  return differ("Mounts", asked.sort(), made.sort());
}

/** What may stand in a container's configuration beside what we asked for, because it does nothing. */
const HARMLESS_CONFIG = new Set(["Env", "Shell", "StopSignal", "StopTimeout"]);

function configDifferences(config: Record<string, unknown>, plan: ContainerPlan): string[] {
  const { Image, Labels, Healthcheck, ...asked } = containerConfig(plan);
  const labels = z.record(z.string(), z.string()).catch({}).parse(config["Labels"]);
  const known = new Set([...Object.keys(asked), "Image", "Labels", "Healthcheck"]);
  return [
    ...Object.entries(asked).flatMap(([name, value]) => differ(name, value, config[name])),
    ...Object.entries(Labels).flatMap(([name, value]) => differ(name, value, labels[name])),
    ...(config["Healthcheck"] === undefined
      ? []
      : differ("Healthcheck", Healthcheck, config["Healthcheck"])),
    ...unasked(config, (name) => known.has(name) || HARMLESS_CONFIG.has(name)),
  ];
}

/** Paths of the kernel that every engine hides or locks; more of them are welcome. */
const MASKED = ["/proc/kcore", "/proc/keys", "/proc/timer_list", "/sys/firmware"];
const LOCKED = ["/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger"];

function hostDifferences(made: Record<string, unknown>, plan: ContainerPlan): string[] {
  const asked = hostConfig(plan);
  const separate = new Set(["Mounts", "MaskedPaths", "ReadonlyPaths", "Runtime"]);
  return [
    ...Object.entries(asked).flatMap(([name, value]) =>
      differ(name, inOneForm(name, value), inOneForm(name, made[name])),
    ),
    ...(plan.kind === "podman" ? [] : missing("MaskedPaths", MASKED, made)),
    ...(plan.kind === "podman" ? [] : missing("ReadonlyPaths", LOCKED, made)),
    ...unasked(made, (name) => name in asked || separate.has(name)),
  ];
}

/** Engines give lists back in an order of their own, and say "no restart" with a word or with none. */
function inOneForm(name: string, value: unknown): unknown {
  if (name === "RestartPolicy") {
    return z
      .object({ Name: z.string().transform((word) => (word === "" ? "no" : word)) })
      .catch({ Name: "unreadable" })
      .parse(value).Name;
  }
  if (name === "LogConfig") return z.object({ Type: z.string() }).catch({ Type: "" }).parse(value);
  if (!Array.isArray(value)) return value;
  return value.map((item) => sortedText(item)).sort();
}

function sortedText(item: unknown): string {
  if (typeof item !== "object" || item === null) return String(item);
  return JSON.stringify(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function missing(name: string, wanted: readonly string[], made: Record<string, unknown>): string[] {
  const list = z.array(z.string()).catch([]).parse(made[name]);
  const absent = wanted.filter((path) => !list.includes(path));
  return absent.length === 0 ? [] : [`${name} lacks ${absent.join(", ")}`];
}

/** Whatever is set and was not asked for: a device, a capability, a port, a setting we never heard of. */
function unasked(made: Record<string, unknown>, isKnown: (name: string) => boolean): string[] {
  return Object.entries(made)
    .filter(([name, value]) => !isKnown(name) && !isNothing(value))
    .map(([name, value]) => `${name} was not asked for and is ${shown(value)}`);
}

function isNothing(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isNothing);
  // A port or a volume is asked for by its name alone, with nothing said about it.
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
  return value === null || value === undefined || value === false || value === 0 || value === "";
}

function differ(name: string, asked: unknown, made: unknown): string[] {
  if (isDeepStrictEqual(asked, made)) return [];
  return [`${name} was to be ${shown(asked)} and is ${shown(made)}`];
}

const SHOWN_CHARS_MAX = 200;

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? "not there").slice(0, SHOWN_CHARS_MAX);
}

function refused({ task }: ContainerPlan, differences: readonly string[]): SwornError {
  const message = `the engine did not make the container of ${task.id} as asked: ${differences.join("; ")}`;
  return new SwornError("SANDBOX_REFUSED", message);
}
