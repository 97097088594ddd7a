import { counted } from "../../base/index.ts";
import type { SessionReport } from "../../schema/session-report.ts";
import { weakenedWords } from "../../view/index.ts";

/** A session's report for people. What others wrote stands on lines of its own, and as text. */
export function renderSessionReport(report: SessionReport): string {
  const { asked, status, reasons, profile, delivery, verify, shared } = report;
  const parts: (readonly [string, readonly string[]])[] = [
    ["Asked", [asked]],
    [
      "Came to",
      [
        `${status} (profile ${profile}, ${counted(report.rounds, "round")} of rework)`,
        ...weakenedWords(report.weakened ?? []),
        ...reasons,
      ],
    ],
    ["Done", doneLines(report)],
    ["Proven", report.proven.length === 0 ? ["nothing"] : report.proven],
    ["Not proven", openLines(report)],
    ["Who agreed", agreedLines(report)],
    ["Who sat where", [...seatLines(report), ...shared]],
    [
      "Delivered",
      delivery === null
        ? ["nothing was delivered"]
        : [
            `${delivery.status}: ${delivery.where}`,
            ...(delivery.packet === null ? [] : [delivery.packet]),
          ],
    ],
    ["How to verify", verify.map((one) => one)],
  ];
  const lines = parts.flatMap(([title, items]) => [
    `## ${title}`,
    "",
    ...items.map((item) => `- ${plain(item)}`),
    "",
  ]);
  return [`# Session ${report.session}`, "", ...lines].join("\n");
}

function doneLines({ works, proposals, audits, done }: SessionReport): string[] {
  return [
    ...proposals.map(
      ({ id, status, is_superseded: isOld, rationale, conditions }) =>
        `${id.toUpperCase()} ${status}${isOld ? ", superseded" : ""}: ${rationale}${conditions.map((one) => ` Condition: ${one}`).join("")}`,
    ),
    ...works.map(
      ({ round, work, status, branch }) =>
        `round ${round}: work ${work} ${status ?? "is not done"}${branch === null ? "" : ` on ${branch}`}`,
    ),
    ...audits.map(
      ({ round, verdict, by, reasons }) =>
        `audit ${round}: ${verdict}, by ${by}${reasons.map((one) => `; ${one}`).join("")}`,
    ),
    ...done.map(({ item, state, reason }) => `${item}: ${state} (${reason})`),
  ];
}

function agreedLines({ votes, agreed, decisions }: SessionReport): string[] {
  const how = {
    votes: "agreed by votes",
    gates: "agreed by the runtime's own gates; nobody else had to vote",
    no: "nobody agreed",
  }[agreed];
  return [
    how,
    ...votes.map(({ agent, vote, rationale, check, mitigations }) => {
      const who = check === null ? agent : `${agent} by its check ${check}`;
      const asked = mitigations.map(
        ({ action, owner, deadline }) => ` Mitigation: ${action} (${owner}, until ${deadline})`,
      );
      return `${who}: ${vote}. ${rationale}${asked.join("")}`;
    }),
    ...decisions.map(
      ({ id, by, choice, context }) => `${by} decided ${id}: ${choice} (${context})`,
    ),
  ];
}

/** Nothing that was found to be open is no word on what nobody came to look at. */
function openLines({ unproven, status }: SessionReport): readonly string[] {
  if (unproven.length > 0) return unproven;
  const isOver = status === "delivered" || status === "rehearsed";
  return [isOver ? "nothing is left open" : "all that was asked: it did not come to its end"];
}

/** Who looks at one thing and answers the runtime, but signs nothing. */
const isAsked = (agent: string) => agent === "judge" || agent === "reviewer";

function seatLines({ seats, leader }: SessionReport): string[] {
  return [
    ...seats.map(({ agent, role, by, key, family }) => {
      const who = by ?? (role === "planner" ? "a plan that was given" : "checks that are built in");
      const kin = family === null ? "" : `, models of the family ${family}`;
      if (isAsked(agent)) return `${agent}: ${who}${kin}, asked by the runtime`;
      return `${agent} (${role}): ${who}${kin}, key ${key?.slice(0, 12) ?? "none"}`;
    }),
    ...(leader === null ? [] : [`led by ${leader.holder}, lease ${leader.number}`]),
  ];
}

/** One line that can begin no heading and no list of its own. */
function plain(text: string): string {
  return text
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, " ")
    .replaceAll(/[<>`]/g, (sign) => `\\${sign}`)
    .trim()
    .slice(0, 4_000);
}
