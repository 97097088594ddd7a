import type { Bus } from "../talk/bus.ts";
import { escapeBody } from "../talk/escape-body.ts";
import { factsOf } from "../talk/facts.ts";
import { renderState } from "../talk/render-talk.ts";

/** The buses that context is taken from; one that nobody has spoken on has none. */
export interface ContextSource {
  readonly task: Bus | undefined;
  readonly project: Bus | undefined;
}

type Part = (source: ContextSource, isFull: boolean) => string;
const NOTHING = "Nothing is recorded.";

const PARTS: Readonly<Record<string, Part>> = {
  summary: ({ task, project }, isFull) =>
    [
      ...(task === undefined ? [] : [renderState(task).text.trim()]),
      ...facts(project, isFull),
      ...facts(task, isFull),
    ].join("\n\n"),
  decisions: ({ task, project }, isFull) =>
    [project, task]
      .flatMap((bus) => bus?.talk().messages ?? [])
      .filter(({ kind }) => kind === "DECISION")
      .map(({ id, agent, at, text }) => item(`${id}, ${agent}, ${at}`, text, isFull))
      .join("\n\n"),
  facts: ({ task, project }, isFull) =>
    [...facts(project, isFull), ...facts(task, isFull)].join("\n\n"),
};

/**
 * What is recorded in a project about what was asked for, as Markdown. In brief only the first line
 * of each text. A part that does not exist is said to be missing: silence would be taken for "none".
 */
export function contextMarkdown(
  source: ContextSource,
  selectors: readonly string[],
  scope: "brief" | "full",
): string {
  const parts = [...new Set(selectors)].map((selector) => {
    const part = Object.hasOwn(PARTS, selector) ? PARTS[selector] : undefined;
    const text = part?.(source, scope === "full") ?? unknown();
    return `## ${escapeBody(selector).replace(/\n/g, " ")}\n\n${text === "" ? NOTHING : text}\n`;
  });
  return parts.join("\n");
}

const unknown = (): string =>
  `Not available: there is no such part here; there are ${Object.keys(PARTS).join(", ")}.`;

function facts(bus: Bus | undefined, isFull: boolean): string[] {
  if (bus === undefined) return [];
  return factsOf(bus).facts.map(({ fact_id, title, text }) =>
    isFull ? item(`${fact_id}: ${title}`, text, true) : `- ${fact_id}: ${title}`,
  );
}

function item(head: string, text: string, isFull: boolean): string {
  const shown = isFull ? text : (text.split("\n", 1)[0] ?? "");
  return `### ${head}\n\n${escapeBody(shown)}`;
}
