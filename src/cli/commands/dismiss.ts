import * as z from "zod";
import { SwornError } from "../../base/index.ts";
import { findReported } from "../../flow/known/find-reported.ts";
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

export const Arguments = z.strictObject({
  finding: z.string().min(1).max(64).optional(),
  why: z.string().trim().min(1).max(500).optional(),
  from: TraceArgument.optional(),
  undo: z.boolean().default(false),
});

/** Dismisses a finding, takes a dismissal back, or lists what was dismissed. */
export async function run(args: z.infer<typeof Arguments>, io: Io): Promise<Answer> {
  const place = openPlace(io);
  const { finding, why, undo } = args;
  if (finding === undefined) return list(place);
  if (undo) return restore(place, finding, why);
  if (why === undefined) {
    const message = `--why is missing: say why ${finding} needs no change; everybody can read it later`;
    throw new SwornError("INPUT_INVALID", message);
  }
  const { identity, about, trace } = await findReported(place, finding, args.from);
  await addKnownFindings(place, { kind: "dismissed", identities: [identity], why, about });
  return {
    exit: 0,
    json: { dismissed: { identity, about, why }, trace },
    words: `Dismissed ${about}.\nIt is not raised again as long as the quoted source stays; "sworn dismiss ${identity.slice(0, 12)} --undo" takes it back.`,
  };
}

/** What was dismissed is no longer in the latest report, so it is looked for among what is known. */
async function restore(place: Place, wanted: string, why = "taken back"): Promise<Answer> {
  const fitting = silenced(readKnownFindings(place).known).filter(
    ({ identity, about }) => identity.startsWith(wanted) || about.startsWith(`${wanted} `),
  );
  const [only] = fitting;
  if (fitting.length !== 1 || only === undefined) {
    const found = fitting.length === 0 ? "none fits" : `${fitting.length} fit`;
    throw new SwornError(
      "NOT_FOUND",
      `no single dismissed finding "${wanted}": ${found}; see "sworn dismiss"`,
    );
  }
  const { identity, about } = only;
  await addKnownFindings(place, { kind: "restored", identities: [identity], why, about });
  return {
    exit: 0,
    json: { restored: { identity, about, why } },
    words: `Taken back: ${about} will be raised again.`,
  };
}

function silenced(known: KnownList["known"]): Known[] {
  return [...known.values()].filter(({ kind }) => kind !== "restored");
}

function list(place: Place): Answer {
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
    ...(rows.length === 0 ? [] : [table(["IDENTITY", "ON", "FINDING", "WHY"], rows)]),
    `${dismissed.length} dismissed, ${baseline} known from the baseline`,
    ...(ignored === 0 ? [] : [`${ignored} lines carry no valid signature of yours: ignored`]),
  ];
  return { exit: 0, json: { dismissed, baseline, ignored }, words: words.join("\n") };
}
