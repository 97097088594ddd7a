import type { Teammate } from "../../schema/contract.ts";

/** A file or a scope that nobody who delivered had. */
export interface Uncovered {
  readonly file: string;
  readonly why: string;
}

/** Scopes whose only readers delivered nothing. They are compared as they are written. */
export function uncoveredScopes(
  teammates: readonly Teammate[],
  missing: ReadonlySet<string>,
): Uncovered[] {
  const there = teammates.filter(({ name }) => !missing.has(name));
  const covered = new Set(there.flatMap(({ file_scope = [] }) => file_scope));
  return teammates
    .filter(({ name }) => missing.has(name))
    .flatMap(({ name, file_scope = [] }) =>
      file_scope
        .filter((glob) => !covered.has(glob))
        .map((glob) => ({ file: glob, why: `only ${name} had it, and delivered nothing` })),
    );
}

const GIVEN_TO_NOBODY = /^(.+): given to nobody \(([^()]*)\)$/s;

/** A file that had no reader from the start, as a line of the state file. */
export function unassignedLine({ file, why }: Uncovered): string {
  const end = `: given to nobody (${why.replaceAll(/[()]/g, "")})`;
  return `${file.slice(0, 1_000 - end.length)}${end}`;
}

/** Reads those lines back; whatever else a state file lists is about an earlier look. */
export function unassignedIn(gaps: readonly string[]): Uncovered[] {
  return gaps.flatMap((gap) => {
    const [, file, why] = GIVEN_TO_NOBODY.exec(gap) ?? [];
    return file === undefined || why === undefined
      ? []
      : [{ file, why: `given to nobody (${why})` }];
  });
}
