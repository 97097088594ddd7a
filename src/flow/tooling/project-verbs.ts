import { existsSync } from "node:fs";
import { join } from "node:path";
import { later, readPlainFile, SwornError } from "../../base/index.ts";
import { readRunInfo } from "../../run/files/index.ts";
import type { VerbAnswer, VerbArgs } from "../../schema/tooling.ts";
import type { CheckSource } from "../check/check.ts";
import type { Place } from "../place.ts";
import { InTurn } from "./in-turn.ts";
import type { Speaker } from "./speaker.ts";
import { TalkVerbs } from "./talk-verbs.ts";
import type { Unavailable, VerbFunction, VerbFunctions } from "./verbs.ts";
import { VoteVerbs } from "./vote-verbs.ts";
import { watchedVerbs } from "./watched-verbs.ts";

const OUTPUT_BYTES_MAX = 1 << 20;
const checking = later(() => import("../check/check.ts"));
const collecting = later(() => import("../context/collect-context.ts"));
const rendering = later(() => import("../context/render-context.ts"));
const submitting = later(() => import("../deliver/task/submit-work.ts"));

/** What is behind the verbs of a project. */
export interface VerbSetting {
  readonly place: Place;
  /** Which commit reports are held against: the run's own, and no other. */
  readonly source: CheckSource;
  /** Starts a child run of the speaker's; undefined where nobody can. */
  readonly delegate?: VerbFunction<"run.delegate"> | undefined;
  /** Takes a note for the speaker's next status; undefined where no run has one. */
  readonly note?: VerbFunction<"status.note"> | undefined;
  /** Tells of a child run of the speaker's; without it, of any run of the task. */
  readonly status?: VerbFunction<"run.status"> | undefined;
}

/** The verbs of one project, on its own records. Whoever opens them closes them. */
export class ProjectVerbs {
  readonly functions: VerbFunctions;
  readonly #talk: TalkVerbs;
  readonly #setting: VerbSetting;

  constructor(setting: VerbSetting) {
    const { place, source, delegate, status, note } = setting;
    this.#setting = setting;
    const talk = new TalkVerbs(place);
    const votes = new VoteVerbs(place, source);
    const checks = new InTurn();
    const deliveries = new InTurn();
    const contexts = new InTurn();
    this.#talk = talk;
    const functions: VerbFunctions = {
      "bus.post": (args, speaker) => talk.post(args, speaker),
      "bus.read": (args, speaker) => talk.read(args, speaker),
      ask: (args, speaker) => talk.ask(args, speaker),
      answer: (args, speaker) => talk.answer(args, speaker),
      check: (args) => checks.run(() => check(args, source)),
      "facts.propose": (args, speaker) => talk.propose(args, speaker),
      "facts.read": (args, speaker) => talk.facts(args, speaker),
      "state.read": (_, speaker) => talk.state(speaker),
      "status.note": note ?? unavailable("there is no run here whose status it could go with"),
      // Reads every trace of the task: one after the other, so that nobody else waits for many.
      "context.get": (args, speaker) => contexts.run(() => this.#context(args, speaker)),
      "review.vote": (args, speaker) => votes.vote(args, speaker),
      "review.status": (args, speaker) => votes.status(args, speaker),
      // One packet at a time: whoever asks often waits for himself.
      "deliver.submit": (args, speaker) =>
        deliveries.run(async () =>
          (await submitting()).submitWork({ place, ...source }, args, speaker),
        ),
      "run.delegate": delegate ?? unavailable("there is no runner here that could start a run"),
      "run.status": status ?? ((args, speaker) => statusOf(place, args, speaker)),
    };
    this.functions = watchedVerbs(functions, (speaker, source, text) =>
      talk.lookAt(speaker, source, text),
    );
  }

  close(): Promise<void> {
    return this.#talk.close();
  }

  async #context(
    { selectors, scope }: VerbArgs<"context.get">,
    speaker: Speaker,
  ): Promise<VerbAnswer<"context.get">> {
    const { task, run } = speaker;
    const { place, source: files } = this.#setting;
    const taskBus = task === undefined ? undefined : await this.#talk.found("task", speaker);
    const projectBus = await this.#talk.found("project", speaker);
    const source = { place, task, taskBus, projectBus, files, isOwnOnly: run !== undefined };
    const { collectContext } = await collecting();
    const { renderContext } = await rendering();
    return { markdown: renderContext(await collectContext(source, selectors, scope)) };
  }
}

const unavailable = (reason: string) => async (): Promise<Unavailable> => ({
  kind: "unavailable",
  reason,
});

async function check(
  { report, name }: VerbArgs<"check">,
  source: CheckSource,
): Promise<VerbAnswer<"check">> {
  const { checkText, toldReports } = await checking();
  const outcome = await checkText(report, name, source);
  const [told] = toldReports(outcome);
  if (told === undefined) throw new SwornError("INPUT_INVALID", "the report is empty");
  const { commit, hearing, findings, unread } = told;
  return {
    commit,
    hearing,
    findings: findings.map(({ found, ...finding }) => ({
      ...finding,
      ...(found === undefined ? {} : { found: { file: found.file, line: found.line } }),
    })),
    claims: outcome.reports.flatMap(({ claims }) => [...claims]),
    unread: unread.map(({ line, text, why }) => ({ line, text, why })),
  };
}

/** A run of the speaker's own task, from what the runner wrote about it. Its id has one right form. */
async function statusOf(
  place: Place,
  { run_id }: VerbArgs<"run.status">,
  { task }: Speaker,
): Promise<VerbAnswer<"run.status">> {
  const folder = join(place.talkFolder(task), "runs", run_id);
  if (task === undefined || !existsSync(folder)) {
    throw new SwornError("NOT_FOUND", `there is no run ${run_id} of this task`);
  }
  const { agent, status, ref } = readRunInfo(join(folder, "run-info.yaml"));
  const output = join(folder, "output.md");
  const text = existsSync(output) ? readPlainFile(output, OUTPUT_BYTES_MAX).toString("utf8") : null;
  return { run_id, agent, status, output: text, ref: ref ?? null };
}
