import { criticalPath, type Drawn } from "./layers.ts";

const LABEL_CHARS_MAX = 80;

/**
 * A plan as a Mermaid flowchart. Names of subtasks are somebody else's text: everything that is not a
 * letter, a digit or plain punctuation is written as an entity, so that no name ends its label.
 */
export function drawMermaid(plan: Drawn): string {
  const path = criticalPath(plan);
  const lines = ["flowchart TD"];
  for (const { id, name, type } of plan.subtasks) {
    lines.push(`  ${id}["${id} ${type}<br/>${label(name)}"]`);
  }
  for (const { id, depends_on } of plan.subtasks) {
    for (const wanted of depends_on) lines.push(`  ${wanted} --> ${id}`);
  }
  lines.push("  classDef critical stroke-width:3px");
  if (path.length > 0) lines.push(`  class ${path.join(",")} critical`);
  return `${lines.join("\n")}\n`;
}

function label(name: string): string {
  const cut = [...name.replaceAll(/\s+/gu, " ").trim()];
  const shown = cut.length > LABEL_CHARS_MAX ? [...cut.slice(0, LABEL_CHARS_MAX - 1), "…"] : cut;
  return shown
    .map((one) => (/[\p{L}\p{N} .,:/_()-]/u.test(one) ? one : `#${one.codePointAt(0)};`))
    .join("");
}
