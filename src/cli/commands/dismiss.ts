import * as z from "zod";
import { counted, SwornError } from "../../base/index.ts";
import { openReported } from "../../flow/known/find-reported.ts";
import {
  addKnownFindings,
  type Known,
  type KnownList,
  readKnownFindings,
} from "../../flow/known/known-findings.ts";
import type { Place } from "../../flow/place.ts";
import { TraceArgument } from "../arguments.ts";
import { openPlace } from "../config.ts";
import type { Answer, Io } from "../io.ts";
import { table } from "../table.ts";

const FINDINGS_MAX = 100;

export const Arguments = z.strictObject({
  findings: z.array(z.string().min(1).max(64)).max(FINDINGS_MAX).default([]),
  why: z.string().trim().min(1).max(500).optional(),
  from: TraceArgument.optional(),
  undo: z.boolean().default(false),
});

/** A finding that a person named, and what is known of it already. */
interface Named {
  readonly identity: string;
  readonly about: string;
  readonly trace?: string;
  readonly already?: Known | undefined;
}

/** Dismisses findings, takes dismissals back, or lists what was dismissed. */
export async function run(args: z.infer<typeof Arguments>, io: Io): Promise<Answer> {
  const place = openPlace(io);
  const { why, undo } = args;
  const wanted = [...new Set(args.findings)];
  if (wanted.length === 0) return list(place, io);
  if (undo) return restore(place, wanted, why);
  if (why === undefined) {
    const names = wanted.join(", ");
    const message = `--why is missing: say why ${names} ${wanted.length === 1 ? "needs" : "need"} no change; everybody can read it later`;
    throw new SwornError("INPUT_INVALID", message);
  }
  return dismiss(place, wanted, why, args.from);
}

/** All of them are found before the first one is dismissed: a slip in the last name changes nothing. */
async function dismiss(
  place: Place,
  wanted: readonly string[],
  why: string,
  from: string | undefined,
): Promise<Answer> {
  const known = silenced(readKnownFindings(place).known);
  const find = await openReported(place, from);
  const named = wanted.map((one) => nameFinding(find, one, known));
  const fresh = named.filter(({ already }) => already === undefined);
  for (const { identity, about } of fresh) {
    await addKnownFindings(place, { kind: "dismissed", identities: [identity], why, about });
  }
  const before = named.flatMap(({ already }) => already ?? []);
  return {
    exit: 0,
    json: {
      dismissed: fresh.map(({ identity, about, trace }) => ({ identity, about, why, trace })),
      already: before.map((one) => ({ identity: one.identity, about: one.about, why: one.why })),
    },
    words: [
      ...fresh.map(({ about }) => `Dismissed ${about}.`),
      ...before.map(
        ({ about, at, kind, why: reason }) =>
          `Already ${kind === "baseline" ? "in the baseline" : "dismissed"} on ${at.slice(0, 10)}, nothing changed: ${about} (${reason})`,
      ),
      ...(fresh.length === 0 ? [] : [afterwards(fresh)]),
    ].join("\n"),
  };
}

function afterwards(fresh: readonly Named[]): string {
  const [what, back] =
    fresh.length === 1 ? ["It is", "takes it back"] : ["They are", "takes them back"];
  const names = fresh.map(({ identity }) => identity.slice(0, 12)).join(" ");
  return `${what} not raised again as long as the quoted source stays; "sworn dismiss ${names} --undo" ${back}.`;
}

/** As the review calls it; what that does not have was perhaps dismissed before, and so left out. */
function nameFinding(
  find: Awaited<ReturnType<typeof openReported>>,
  wanted: string,
  known: readonly Known[],
): Named {
  try {
    const { identity, about, trace } = find(wanted);
    return { identity, about, trace, already: known.find((one) => one.identity === identity) };
  } catch (error) {
    const [only, ...others] = known.filter((one) => isCalled(one, wanted));
    if (only === undefined || others.length > 0) throw error;
    return { ...only, already: only };
  }
}

function isCalled({ identity, about }: Known, wanted: string): boolean {
  return identity.startsWith(wanted) || about.toLowerCase().startsWith(`${wanted.toLowerCase()} `);
}

/** What was dismissed is no longer in the latest report, so it is looked for among what is known. */
async function restore(
  place: Place,
  wanted: readonly string[],
  why = "taken back",
): Promise<Answer> {
  const known = silenced(readKnownFindings(place).known);
  const restored = wanted.map((one) => onlyOne(known, one));
  for (const { identity, about } of restored) {
    await addKnownFindings(place, { kind: "restored", identities: [identity], why, about });
  }
  return {
    exit: 0,
    json: { restored: restored.map(({ identity, about }) => ({ identity, about, why })) },
    words: restored.map(({ about }) => `Taken back: ${about} will be raised again.`).join("\n"),
  };
}

function onlyOne(known: readonly Known[], wanted: string): Known {
  const fitting = known.filter((one) => isCalled(one, wanted));
  const [only] = fitting;
  if (fitting.length === 1 && only !== undefined) return only;
  const found = fitting.length === 0 ? "none fits" : `${fitting.length} fit`;
  throw new SwornError(
    "NOT_FOUND",
    `no single dismissed finding "${wanted}": ${found}; see "sworn dismiss"`,
  );
}

function silenced(known: KnownList["known"]): Known[] {
  return [...known.values()].filter(({ kind }) => kind !== "restored");
}

function list(place: Place, { columns }: Io): Answer {
  const { known, ignored } = readKnownFindings(place);
  const all = silenced(known);
  const dismissed = all.filter(({ kind }) => kind === "dismissed");
  const baseline = all.length - dismissed.length;
  const rows = dismissed.map(({ identity, at, about, why }) => [
    identity.slice(0, 12),
    at.slice(0, 10),
    about,
    why,
  ]);
  const words = [
    ...(rows.length === 0 ? [] : [table(["IDENTITY", "ON", "FINDING", "WHY"], rows, columns)]),
    `${dismissed.length} dismissed, ${baseline} known from the baseline`,
    ...(ignored === 0
      ? []
      : [`Without a valid signature of yours, and ignored: ${counted(ignored, "line")}`]),
  ];
  return { exit: 0, json: { dismissed, baseline, ignored }, words: words.join("\n") };
}
