/** Somebody who made something or voted on it, and the family of models it is from, where it is one. */
export interface Kin {
  readonly agent: string;
  readonly family?: string | undefined;
}

/** Vendors and series that names of models begin with; what is behind does not make another family. */
const SEPARATOR = /[-_/:.\s0-9]+/;

/**
 * The family of a model, from its name: its first word. Two sizes of one series make the same
 * mistakes, so that they count as one mind when independence is shown.
 */
export function familyOf(model: string): string {
  const last = model.split("/").at(-1) ?? model;
  return (last.split(SEPARATOR).find((word) => word !== "") ?? model).toLowerCase().slice(0, 64);
}

/** Where voters are not as independent as they look: said, not forbidden. */
export function sharedFamilies(authors: readonly Kin[], voters: readonly Kin[]): string[] {
  const notes: string[] = [];
  for (const [index, voter] of voters.entries()) {
    if (voter.family === undefined) continue;
    const author = authors.find(({ family }) => family === voter.family);
    if (author) notes.push(`${voter.agent} is of the family of ${author.agent}: ${voter.family}`);
    const other = voters.slice(0, index).find(({ family }) => family === voter.family);
    if (other) notes.push(`${voter.agent} is of the family of ${other.agent}: ${voter.family}`);
  }
  return notes;
}
