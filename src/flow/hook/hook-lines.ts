/** Whom a hook can be put into. */
export const HOOK_KINDS = ["claude", "codex", "git"] as const;
export type HookKind = (typeof HOOK_KINDS)[number];

/** An agent whose hooks are settings in a JSON file. */
export type AgentHook = Exclude<HookKind, "git">;

/** Where each agent looks, below the project and below the user's home alike. */
export const SETTINGS_FILES: Readonly<Record<AgentHook, string>> = {
  claude: ".claude/settings.json",
  codex: ".codex/hooks.json",
};

/** What every line of ours has in it, and nobody else's. */
export const ownMark = (kind: HookKind): string => `sworn hook run ${kind}`;

/**
 * The line that an agent's settings get. Without `sworn` it says so and what to do, and does not hold
 * the agent up: 1 is shown to the user, 2 would be told to the agent, again and again.
 */
export function agentLine(kind: AgentHook): string {
  const missing = `sworn is not on the PATH, so nothing checks what the agent says. Install it, or take the hook out of ${SETTINGS_FILES[kind]}.`;
  return `if command -v sworn >/dev/null 2>&1; then ${ownMark(kind)}; else echo "${missing}" >&2; exit 1; fi`;
}

/** The name of the hook that was there before, beside ours. */
export const BEFORE = "commit-msg.before-sworn";

/** Git's hook as a file. Whatever was there before runs first, and its no counts. */
export const COMMIT_HOOK = `#!/bin/sh
# Holds a commit's message against its change. "sworn hook remove git" takes this away again.
before="$(dirname "$0")/${BEFORE}"
if [ -x "$before" ]; then
  "$before" "$@" || exit $?
fi
if ! command -v sworn >/dev/null 2>&1; then
  echo "sworn is not on the PATH, so nothing holds this commit's message against its change." >&2
  echo "Install it, commit once with --no-verify, or remove $0" >&2
  exit 1
fi
${ownMark("git")} "$1"
checked=$?
# 1 says why nothing was checked, which is no word against the message.
[ "$checked" -eq 1 ] && exit 0
exit "$checked"
`;
