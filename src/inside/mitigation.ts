/** A mitigation in one word of a command line, `action; owner; deadline`; undefined for anything else. */
export function mitigationOf(
  written: string,
): { action: string; owner: string; deadline: string } | undefined {
  const parts = written.split(";").map((part) => part.trim());
  const [owner = "", deadline = ""] = parts.slice(-2);
  const action = parts.slice(0, -2).join("; ");
  return action === "" || owner === "" || deadline === "" ? undefined : { action, owner, deadline };
}

/** What a vote of a colour lacks, with the option that says it; undefined where nothing is missing. */
export function missingInVote(
  colour: string,
  mitigations: readonly string[],
  fix: string | undefined,
): string | undefined {
  if (colour === "yellow" && mitigations.length === 0) {
    return "a yellow vote needs --mitigation 'action; owner; deadline'";
  }
  return colour === "red" && fix === undefined ? "a red vote needs --fix 'what to do'" : undefined;
}
