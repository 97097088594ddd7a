/** A mitigation in one word of a command line, `action; owner; deadline`; undefined for anything else. */
export function mitigationOf(
  written: string,
): { action: string; owner: string; deadline: string } | undefined {
  const parts = written.split(";").map((part) => part.trim());
  const [owner = "", deadline = ""] = parts.slice(-2);
  const action = parts.slice(0, -2).join("; ");
  return action === "" || owner === "" || deadline === "" ? undefined : { action, owner, deadline };
}
