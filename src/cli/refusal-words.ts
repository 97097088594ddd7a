import { dirname } from "node:path";
import { counted } from "../base/index.ts";
import type { Place } from "../flow/place.ts";
import type { ScriptOutcome } from "../flow/record/script.ts";

/** How the recording was called, so that the next call can be spelled out. */
export interface RecordCall {
  readonly args: {
    readonly script: string;
    readonly "artifacts-from": readonly string[];
  };
  readonly place: Place;
}

/** What is recorded after a refusal, and what can be done next, as lines to copy. */
export function refusalSteps(
  { trace, entries, recorded, operator }: ScriptOutcome,
  { line, rule, agent }: NonNullable<ScriptOutcome["refused"]>,
  { args, place }: RecordCall,
): string[] {
  const isKeyless = rule === "KEY_GUARD" && !place.keyring.current(agent);
  const newKey = isKeyless ? [`Give ${agent} a new key with: sworn keys rotate ${agent}`] : [];
  if (trace === null) {
    return ["Nothing was recorded.", ...newKey, `Fix line ${line}, then run it again.`];
  }
  const kept = `The ${counted(recorded, "line")} before it ${recorded === 1 ? "is" : "are"} recorded in ${trace} (${counted(entries, "entry")}).`;
  if (operator === undefined) return [kept, "The session has ended: nothing can follow in it."];
  const goOn = `sworn trace record - --trace ${trace}${artifactOptions(args)}`;
  const rest =
    args.script === "-"
      ? `Fix line ${line}, then send it and what follows to: ${goOn}`
      : `Fix line ${line}, then go on with: tail -n +${line} ${quoted(args.script)} | ${goOn}`;
  const abort = JSON.stringify({
    actor: { agent: operator, role: "operator" },
    type: "session_aborted",
    body: { reason: "why" },
  });
  return [
    recorded === 0 ? `${trace} is as it was (${counted(entries, "entry")}).` : kept,
    ...newKey,
    rest,
    `Or end the session with: echo '${abort}' | sworn trace record - --trace ${trace}`,
  ];
}

/** From standard input the script's own folder is not known, so artifacts beside it need naming. */
function artifactOptions({ script, "artifacts-from": more }: RecordCall["args"]): string {
  const own = script === "-" || dirname(script) === "." ? [] : [dirname(script)];
  return [...own, ...more].map((folder) => ` --artifacts-from ${quoted(folder)}`).join("");
}

/** A path as a shell takes it for one word. */
function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
