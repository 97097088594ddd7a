import { security } from "../../../src/scan/security/index.ts";

/** Findings of a text as `P2 redos 3`: priority, category, line. */
export function reviewed(text: string, path = "lib/file.js"): string[] {
  return security
    .review({ path, text })
    .map(({ priority, category, citations }) => `${priority} ${category} ${citations[0]?.line}`);
}

/** The categories of what is more than advice. */
export function alarms(text: string, path = "lib/file.js"): string[] {
  const found = security.review({ path, text }).filter(({ priority }) => priority !== "P3");
  return [...new Set(found.map(({ category }) => category))];
}
