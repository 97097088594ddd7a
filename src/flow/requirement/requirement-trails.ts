import { isTestCode } from "../../scan/kind/index.ts";
import { type Citation, readCitations } from "../../scan/requirement/index.ts";
import { fileAddress } from "../address/entry-address.ts";
import { type CitedLine, type RequirementRow, RequirementTrail } from "./requirement-row.ts";

const IDS_MAX = 10_000;
/** Places of one kind that are kept for one id. */
const PLACES_MAX = 1_000;
/** Where pages of decisions lie: what is defined there was decided there. */
const DECISION_PAGE = /(?:^|\/)(?:decisions?|adrs?)\//i;

/** The trails of all ids of one commit. */
export class RequirementTrails {
  readonly project: string;
  readonly commit: string;
  readonly #all = new Map<string, RequirementTrail>();

  constructor(project: string, commit: string) {
    this.project = project;
    this.commit = commit;
  }

  /** What is known of an id; undefined once there are too many to be anybody's requirements. */
  of(id: string): RequirementTrail | undefined {
    const known = this.#all.get(id);
    if (known !== undefined || this.#all.size >= IDS_MAX) return known;
    const made = new RequirementTrail(id);
    this.#all.set(id, made);
    return made;
  }

  rows(): RequirementRow[] {
    return [...this.#all.values()]
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      .map((trail) => trail.row());
  }

  takeFile(path: string, text: string): void {
    for (const citation of readCitations(path, text)) {
      const trail = this.of(citation.id);
      if (trail !== undefined) this.#take(trail, path, citation);
    }
  }

  #take(trail: RequirementTrail, path: string, { line, isDefinition, req }: Citation): void {
    const places = placesFor(trail, path, isDefinition);
    if (places.length >= PLACES_MAX) return;
    places.push({ path, line });
    trail.problems.push(...(req?.problems ?? []).map((one) => `${path}:${line}: ${one}`));
    if (places === trail.defined) this.#link(trail, path);
  }

  #link(trail: RequirementTrail, path: string): void {
    const where = { project: this.project, task: "any" };
    const address = fileAddress(where, this.commit, path, trail.id);
    if (!trail.links.includes(address)) trail.links.push(address);
    if (DECISION_PAGE.test(path) && !trail.decisions.includes(address)) {
      trail.decisions.push(address);
    }
  }
}

function placesFor(trail: RequirementTrail, path: string, isDefinition: boolean): CitedLine[] {
  if (isTestCode(path)) return trail.tests;
  return isDefinition ? trail.defined : trail.cited;
}
