import { counted } from "../base/index.ts";
import { fitted, oneLine } from "../deliver/index.ts";
import type { ProjectStatus } from "../flow/status/project-status.ts";
import type { StatusItem, Urgency } from "../flow/status/status-item.ts";

const COLUMNS = 80;
/** One screen: a heading, the items, what was left out, what it cost. */
const LINES_MAX = 24;
const LINES_AROUND = 4;
const LINES_AN_ITEM = 2;
const WORDS: Readonly<Record<Urgency, string>> = {
  damaged: "DAMAGED",
  blocked: "BLOCKED",
  overdue: "OVERDUE",
  waits: "WAITS",
  expires: "EXPIRES",
  unproven: "UNPROVEN",
  runs: "RUNS",
};
const URGENCY_COLUMNS = 8;

/** A project on one screen: what is most urgent, whom it waits for, what to type, what it cost. */
export function statusWords(status: ProjectStatus, columns = COLUMNS): string {
  const { items, unread } = status;
  const most = Math.floor((LINES_MAX - LINES_AROUND) / LINES_AN_ITEM);
  const shown = items.slice(0, most);
  const left = items.length - shown.length;
  const lines = [
    fitted(headWords(status), columns),
    ...shown.flatMap((item) => itemLines(item, columns)),
    ...(left > 0 ? [`and ${left} more; "sworn status --json" has all of them`] : []),
    ...(unread > 0 ? [`${counted(unread, "older trace")} not read; see "sworn trace ls"`] : []),
    fitted(costWords(status), columns),
  ];
  return lines.join("\n");
}

function headWords({ counts, sessions, items }: ProjectStatus): string {
  const isEmpty = items.length + sessions.open + sessions.completed + sessions.ended === 0;
  // In a wrong folder "nothing waits" would be heard as good news.
  if (isEmpty) return 'Nothing is recorded here yet; "sworn review" makes a first record';
  const waiting = counts.damaged + counts.blocked + counts.overdue + counts.waits + counts.expires;
  const { open, completed, ended } = sessions;
  const now =
    waiting + counts.runs + counts.unproven === 0
      ? "Nothing runs and nothing waits"
      : `${waiting} waiting, ${counts.runs} running, ${counts.unproven} unproven`;
  return `${now}; records: ${open} open, ${completed} completed, ${ended} ended early`;
}

/**
 * What others wrote is shown with its hidden characters written out, and on one line. A name that the
 * command names anyway leaves its room to the reason. Words are cut to the screen; a command never is,
 * for half of it is nothing to type.
 */
function itemLines(item: StatusItem, columns: number): string[] {
  const { urgency, kind, name, state, waits_for: who, about, task, next } = item;
  const named = next.includes(name) ? [] : [oneLine(name)];
  const of = task === null || named.length > 0 ? [] : [oneLine(task)];
  const what = [kind, ...named, ...of].join(" ");
  const whom = who === null ? "" : ` for ${oneLine(who)}`;
  const words = `${what}: ${oneLine(state)}${whom}: ${oneLine(about)}`;
  return [
    fitted(`${WORDS[urgency].padEnd(URGENCY_COLUMNS)}  ${words}`, columns),
    `${" ".repeat(URGENCY_COLUMNS)}  ${oneLine(next)}`,
  ];
}

function costWords({ cost }: ProjectStatus): string {
  if (cost.runs === 0 && cost.turns === 0) return "No agent has run here yet.";
  const money = cost.micro_usd === null ? "" : `, ${(cost.micro_usd / 1e6).toFixed(4)} dollars`;
  const tokens = `${cost.input_tokens} tokens in, ${cost.output_tokens} out${money}`;
  const unknown = cost.unknown === 0 ? "" : `; of ${cost.unknown} unknown`;
  return `${counted(cost.runs, "run")}, ${durationWords(cost.seconds)}; ${tokens}, as told${unknown}`;
}

function durationWords(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
