import { SwornError } from "../../base/index.ts";
import { type AgentHook, agentLine, ownMark } from "./hook-lines.ts";
import { isSettings, type Settings } from "./settings-file.ts";

/** Long enough for a large repository, and an end all the same. */
const TIMEOUT_SECONDS = 120;

/** Whether settings have our line, as it is written today or as it once was. */
export function stopHookIn(settings: Settings, kind: AgentHook): "current" | "older" | "none" {
  const lines = groupsOf(settings, kind).flatMap((group) => linesOf(group, kind));
  if (lines.length === 0) return "none";
  return lines.length === 1 && lines[0] === agentLine(kind) ? "current" : "older";
}

/** The same settings with our line in them, once; everything else stays as it is, in its order. */
export function withStopHook(settings: Settings, kind: AgentHook): Settings {
  const bare = withoutStopHook(settings, kind);
  const ours = { type: "command", command: agentLine(kind), timeout: TIMEOUT_SECONDS };
  const hooks = isSettings(bare["hooks"]) ? bare["hooks"] : {};
  const groups = Array.isArray(hooks["Stop"]) ? hooks["Stop"] : [];
  return { ...bare, hooks: { ...hooks, Stop: [...groups, { hooks: [ours] }] } };
}

/** The same settings without our line, and without what is empty because of that. */
export function withoutStopHook(settings: Settings, kind: AgentHook): Settings {
  const groups = groupsOf(settings, kind);
  if (!groups.some((group) => linesOf(group, kind).length > 0)) return settings;
  const left = groups.flatMap((group) => {
    if (!isSettings(group) || linesOf(group, kind).length === 0) return [group];
    const others = hooksOf(group).filter((hook) => !isOurs(hook, kind));
    return others.length === 0 ? [] : [{ ...group, hooks: others }];
  });
  const { Stop: _, ...events } = isSettings(settings["hooks"]) ? settings["hooks"] : {};
  if (left.length > 0) return { ...settings, hooks: { ...events, Stop: left } };
  const { hooks: __, ...rest } = settings;
  return Object.keys(events).length === 0 ? rest : { ...rest, hooks: events };
}

/** @throws SwornError `INPUT_INVALID` when hooks stand there in a form that we do not know. */
function groupsOf(settings: Settings, kind: AgentHook): unknown[] {
  const hooks = settings["hooks"];
  if (hooks === undefined) return [];
  const stop = isSettings(hooks) ? hooks["Stop"] : null;
  if (stop === undefined) return [];
  if (Array.isArray(stop)) return stop;
  const what = `the settings of ${kind} have hooks in a form that is not known`;
  throw new SwornError(
    "INPUT_INVALID",
    `${what}: expected a list in hooks.Stop; nothing was changed`,
  );
}

function linesOf(group: unknown, kind: AgentHook): string[] {
  return hooksOf(group).flatMap((hook) =>
    isOurs(hook, kind) && isSettings(hook) ? [String(hook["command"])] : [],
  );
}

function hooksOf(group: unknown): unknown[] {
  return isSettings(group) && Array.isArray(group["hooks"]) ? group["hooks"] : [];
}

function isOurs(hook: unknown, kind: AgentHook): boolean {
  const command = isSettings(hook) ? hook["command"] : undefined;
  return typeof command === "string" && command.includes(ownMark(kind));
}
