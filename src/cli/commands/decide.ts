import * as z from "zod";
import { SwornError } from "../../base/index.ts";
import { tempoOf } from "../../flow/beat/beat-config.ts";
import { execRoot } from "../../flow/exec/exec-root.ts";
import type { Place } from "../../flow/place.ts";
import { decideReview, whyNotMoved } from "../../flow/vote/decide-review.ts";
import {
  type Decision,
  type DecisionLink,
  decisionsIn,
  recordDecision,
  walkBack,
} from "../../flow/vote/decisions.ts";
import { findReview } from "../../flow/vote/find-review.ts";
import type { Tempo } from "../../flow/vote/read-reviews.ts";
import { Name, Text } from "../../schema/index.ts";
import type { Answer, Io } from "../io.ts";
import { personIn, reviewScope, traceIn, traceToWrite } from "../review-place.ts";
import { openRunPlace } from "../run-place.ts";
import { table } from "../table.ts";
import { refusedAnswer } from "../talk-scope.ts";

const words = z.array(z.string().min(1).max(4_096)).max(100).default([]);

export const Arguments = z.strictObject({
  ...reviewScope,
  choice: Text.optional(),
  context: Text.optional(),
  option: words,
  id: Name.optional(),
  file: words,
  claim: words,
  requirement: words,
  replaces: words,
  for: z.string().min(1).optional(),
  accept: z.boolean().default(false),
  why: z.string().min(1).optional(),
});
type Given = z.infer<typeof Arguments>;

export async function run(args: Given, io: Io): Promise<Answer> {
  const place = await openRunPlace(io);
  if (args.choice === undefined) return show(place, args, io);
  if (args.context === undefined) {
    throw new SwornError("INPUT_INVALID", "--context is missing: expected what it is about");
  }
  const tempo = tempoOf(await execRoot(io.cwd, io.env));
  return decide({ place, tempo }, args, args.choice, args.context);
}

async function decide(
  { place, tempo }: { readonly place: Place; readonly tempo: Tempo },
  args: Given,
  choice: string,
  context: string,
): Promise<Answer> {
  const scope = { place, task: args.task, trace: args.trace, tempo };
  const review = args.for === undefined ? undefined : findReview(scope, args.for);
  const trace = review?.trace ?? (await traceToWrite(place, args));
  const author = personIn(place, trace);
  const links = linksOf(args, review?.completion_id);
  const { id, option: options } = args;
  const recorded = await recordDecision(place, trace, author, {
    id,
    context,
    options,
    choice,
    links,
  });
  if ("kind" in recorded) return refusedAnswer(recorded);
  const { decision_id } = recorded;
  const moved =
    review === undefined
      ? null
      : await decideReview(place, author, review, { decision_id, choice, accepts: args.accept });
  const said = `Decided ${decision_id}.`;
  if (moved !== null && typeof moved === "object") {
    const refused = refusedAnswer(moved);
    return { ...refused, words: `${said}\nThe review stays where it is. ${refused.words}` };
  }
  if (review === undefined || moved !== null) {
    const where = moved === null ? [] : [`${review?.completion_id}: ${moved}`];
    return { exit: 0, json: { ...recorded, trace, moved }, words: [said, ...where].join("\n") };
  }
  const why = whyNotMoved(place, review, { decision_id, accepts: args.accept });
  const words = `${said}\nIt moves nothing: ${why}`;
  return { exit: 0, json: { ...recorded, trace, moved, not_moved: why }, words };
}

function linksOf(args: Given, completion: string | undefined): DecisionLink[] {
  const of = (kind: DecisionLink["kind"], names: readonly string[]) =>
    names.map((to) => ({ kind, to }));
  return [
    ...of("file", args.file),
    ...of("claim", args.claim),
    ...of("requirement", args.requirement),
    ...of("completion", completion === undefined ? [] : [completion]),
    ...of("decision", args.replaces),
  ];
}

async function show(place: Place, args: Given, { columns }: Io): Promise<Answer> {
  const isEverywhere = args.task === undefined && args.trace === undefined;
  const traces = isEverywhere ? place.traces() : [await traceIn(place, args)];
  const decisions = decisionsIn(place, traces);
  if (args.why === undefined) {
    const list = decisions.length === 0 ? "no decisions" : decisionTable(decisions, columns);
    return { exit: 0, json: { decisions }, words: list };
  }
  const found = walkBack(decisions, args.why);
  const rows = found.map(({ decision, distance, because }) => [
    String(distance),
    decision.decision_id,
    decision.choice.replaceAll("\n", " "),
    because,
    decision.by,
  ]);
  const list =
    rows.length === 0
      ? `no decision is about ${args.why}`
      : table(["STEPS", "DECISION", "CHOICE", "FROM", "BY"], rows, columns);
  return { exit: 0, json: { from: args.why, justified_by: found }, words: list };
}

function decisionTable(decisions: readonly Decision[], columns?: number): string {
  const rows = decisions.map((one) => [
    one.decision_id,
    one.by,
    one.at.slice(0, 10),
    one.choice.replaceAll("\n", " "),
    [
      ...one.justifies.map(({ to }) => to),
      ...one.replaced_by.map((id) => `(replaced by ${id})`),
    ].join(" "),
  ]);
  return table(["DECISION", "BY", "AT", "CHOICE", "ABOUT"], rows, columns);
}
