import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { ensureFolder, messageOf, writeFileDurably } from "../../../base/index.ts";
import { assertNoLink, type Place } from "../../place.ts";
import { readStored } from "../../trace/stored-document.ts";

const KEPT_BYTES_MAX = 8 << 20;
const KEPT_MAX = 10_000;
const FILE_NAME = /^sub-[0-9a-f]{16}\.json$/;

/** What an agent handed in for delivery, as it is kept for whoever sends it on. */
const HandedIn = z.strictObject({
  v: z.literal(1),
  id: z.string().regex(/^sub-[0-9a-f]{16}$/),
  status: z.enum(["queued", "accepted"]),
  agent: z.string(),
  role: z.string(),
  work: z.string(),
  /** The listed sinks outside this machine, one of which it has to be sent to by a person. */
  waits_for: z.array(z.string()),
  artifact: z.string(),
  packet_sha256: z.string(),
  branch: z.string().optional(),
  notify_roles: z.array(z.string()),
  urgency: z.enum(["standard", "hotfix"]),
  files: z.array(z.string()),
  packet_markdown: z.string(),
});
type HandedIn = z.infer<typeof HandedIn>;

/** Kept once: who asks again is told what became of the first, and overwrites nothing. */
export function keepHandedIn(place: Place, handedIn: HandedIn): HandedIn {
  const known = readHandedIn(place, handedIn.id);
  if (known !== undefined) return known;
  write(place, handedIn);
  return handedIn;
}

/**
 * Everything of a work that waited for a person to send it has been sent. What cannot be read or
 * written is told: the work has arrived, and no note about it makes that untrue.
 */
export function acceptHandedIn(place: Place, work: string, onStep: (words: string) => void): void {
  const told = (act: () => void) => {
    try {
      act();
    } catch (error) {
      onStep(`a submission was left as it is: ${messageOf(error)}`);
    }
  };
  told(() => {
    for (const id of keptIn(place)) told(() => accept(place, id, work));
  });
}

function accept(place: Place, id: string, work: string): void {
  const found = readHandedIn(place, id);
  if (found?.work !== work || found.status !== "queued") return;
  write(place, { ...found, status: "accepted" });
}

function keptIn(place: Place): string[] {
  const folder = folderOf(place);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names
    .filter((one) => FILE_NAME.test(one))
    .slice(0, KEPT_MAX)
    .map((name) => name.slice(0, -".json".length));
}

function readHandedIn(place: Place, id: string): HandedIn | undefined {
  const path = join(folderOf(place), `${id}.json`);
  return existsSync(path) ? readStored(path, HandedIn, KEPT_BYTES_MAX) : undefined;
}

function write(place: Place, handedIn: HandedIn): void {
  const folder = folderOf(place);
  assertNoLink(folder);
  ensureFolder(folder);
  const path = join(folder, `${handedIn.id}.json`);
  writeFileDurably(path, `${JSON.stringify(handedIn, null, 2)}\n`, 0o600);
}

function folderOf({ store }: Place): string {
  return join(store, "submissions");
}
