import type { Glance, GlanceQuestion } from "./glance.ts";
import { shellWord } from "./shell-word.ts";
import type { StatusItem } from "./status-item.ts";

const PERSON_TIER = 3;

/**
 * The open questions of a trace.
 *
 * @param talk the task whose talk it is, null for the project's; undefined for any other session
 */
export function questionItems(
  glance: Glance,
  talk: string | null | undefined,
  nowMs: number,
): StatusItem[] {
  const { session, questions } = glance;
  return [...questions]
    .filter(([id]) => session.questions.get(id)?.open === true)
    .map(([id, asked]) => questionItem(glance, id, asked, { talk, nowMs }));
}

function questionItem(
  { trace, task }: Glance,
  id: string,
  { body, at, by }: GlanceQuestion,
  { talk, nowMs }: { readonly talk: string | null | undefined; readonly nowMs: number },
): StatusItem {
  const isOver = body.deadline !== undefined && Date.parse(body.deadline) <= nowMs;
  const own = { trace, at, about: `${by} asks: ${body.text}`, name: id };
  // The one thing that a sealed run asks: whether its flagged output may go out.
  if (talk === undefined && task === "exec") {
    const waits = { state: "held", waits_for: "a reviewer", next: `sworn clear ${trace}` };
    return {
      ...own,
      ...waits,
      urgency: "waits",
      kind: "output",
      name: trace,
      task,
      about: body.text,
    };
  }
  const scope = talk === null ? "" : ` --task ${shellWord(talk ?? task)}`;
  return {
    ...own,
    ...{ kind: "question", task: talk === undefined ? task : talk },
    urgency: isOver ? "overdue" : "waits",
    state: body.blocks === undefined ? "open" : `blocks ${body.blocks}`,
    waits_for: body.to?.join(", ") ?? (body.tier === PERSON_TIER ? "you" : "lead, or you"),
    next:
      talk === undefined
        ? `sworn trace show ${trace}`
        : `sworn answer ${shellWord(id)} <text>${scope}`,
  };
}
