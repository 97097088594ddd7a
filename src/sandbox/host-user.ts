import { readFileSync } from "node:fs";
import type { Control } from "./engine.ts";

/** Who the task is on the host: a uid inside means nothing when it is root's outside. */
export function hostUser(pid: number): Control {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const uids = (/^Uid:\t(.*)$/m.exec(status)?.[1] ?? "").split("\t").map(Number);
  const holds = uids.length === 4 && uids.every((uid) => uid > 0);
  const seen = holds
    ? `uid ${uids[0]} on the host`
    : `expected a uid above 0, found ${uids.join(" ")}`;
  return { name: "host_uid", holds, seen };
}
