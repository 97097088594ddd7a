import { readFileSync } from "node:fs";
import type { EngineRefusal, HostOwner } from "../engine.ts";
import { tryProgram } from "./trial.ts";

const SAID_CHARS_MAX = 300;

/** By these a machine forbids namespaces to ordinary users; each with the value that does, and one that does not. */
const SETTINGS = [
  { name: "user.max_user_namespaces", forbids: "0", allows: "15000" },
  { name: "kernel.unprivileged_userns_clone", forbids: "0", allows: "1" },
  { name: "kernel.apparmor_restrict_unprivileged_userns", forbids: "1", allows: "0" },
] as const;

/**
 * Builds the smallest sandbox there is, as who tasks will be. A machine that forbids it says so here,
 * before a run has begun, and with the setting that would have to change.
 */
export async function namespaceProblems(owner: HostOwner | undefined): Promise<EngineRefusal[]> {
  const args = ["--unshare-all", "--ro-bind", "/", "/", "--", "true"];
  const { code, why, stderr } = await tryProgram("bwrap", args, owner);
  if (code === 0) return [];
  const said = (why || stderr.trim()).slice(0, SAID_CHARS_MAX);
  const culprit = SETTINGS.find(({ name, forbids }) => settingOf(name) === forbids);
  const next = culprit
    ? `${culprit.name} is ${culprit.forbids}; allow it with "sysctl ${culprit.name}=${culprit.allows}"`
    : "allow user namespaces for this user, or choose the engine docker";
  const reason = `bubblewrap cannot make namespaces here (${said}); ${next}`;
  return [{ control: "namespaces", reason }];
}

function settingOf(name: string): string | undefined {
  try {
    return readFileSync(`/proc/sys/${name.replaceAll(".", "/")}`, "utf8").trim();
  } catch {
    // Each kernel has some of them only.
    return undefined;
  }
}
