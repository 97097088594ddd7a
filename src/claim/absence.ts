import type { Absence } from "../schema/finding.ts";

const NEGATIVE =
  /\b(?:missing|absent|absence|lacks?|lacking|never|no|not|without|nowhere|none|neither|nothing|unset|omit(?:s|ted)?|n't)\b/i;
const SEARCH =
  /^["“`'«]([\s\S]{1,1000}?)["”`'»](?:\s{1,9}(?:in|within|under)\s{1,9}([\s\S]{1,20000}))?$/;
const EVERYWHERE =
  /^(?:\.\/?|\/|the )?\s?(?:whole |entire )?(?:tree|repository|repo|codebase|project|everywhere)?$/i;

/** Whether words say that something is not there. */
export function saysAbsent(words: string): boolean {
  return NEGATIVE.test(words);
}

/** Reads the search behind a claim of absence: `"text" in path, path`. */
export function readSearch(text: string): Absence | undefined {
  const match = SEARCH.exec(text.trim().replace(/[.\s]{1,9}$/, ""));
  if (match === null) return undefined;
  const places = (match[2] ?? "")
    .split(/,|\s+and\s+/)
    .map((place) => place.trim().replaceAll("`", ""));
  const within = places.filter(
    (place) => place !== "" && place.length <= 4_096 && !EVERYWHERE.test(place),
  );
  return { text: match[1] ?? "", within: within.slice(0, 100) };
}
