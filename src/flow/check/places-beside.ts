import type { ParsedReport } from "../../claim/index.ts";
import type { Citation, Finding, Verdict } from "../../schema/finding.ts";

type Said = Pick<ParsedReport, "findings" | "places">;

/** All of a report that a source can refute: its findings, then the places that it names beside them. */
export function allSaid(report: Said): Finding[] {
  return [...report.findings, ...placesBeside(report)];
}

/**
 * Of what {@link allSaid} gives, once it was checked: every finding, and the places that were made up.
 * One that is there says nothing of what is said about it, so that it is no finding that holds.
 */
export function standing<Checked extends { readonly verdict: Verdict }>(
  { findings }: Said,
  checked: readonly Checked[],
): Checked[] {
  return checked.filter(({ verdict }, at) => at < findings.length || verdict === "HALLUCINATED");
}

/** Each as a finding that says nothing but that the line is there; those of findings are judged with them. */
function placesBeside({ findings, places }: Said): Finding[] {
  const cited = findings.flatMap(({ citations, path = [] }) => [...citations, ...path]);
  const known = new Set(cited.map(placeOf));
  return places.flatMap(({ at, ...place }, index) => {
    const name = placeOf(place);
    if (known.has(name)) return [];
    known.add(name);
    const where = at === 0 ? "" : `, named in line ${at} of the report`;
    const title = `${place.file.slice(0, 400)}:${place.line}${where}`;
    return [{ id: `PLACE-${index + 1}`, title, priority: "P3", citations: [place] }];
  });
}

const placeOf = ({ file, line, end_line }: Citation) => `${file}:${line ?? ""}-${end_line ?? ""}`;
