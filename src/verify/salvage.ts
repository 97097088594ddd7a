import { sha256Hex } from "../base/index.ts";
import { GENESIS_PREV } from "../schema/index.ts";
import { apply, emptySession, judge } from "../view/index.ts";
import { readLine } from "./entry-shape.ts";
import { KeyWatch } from "./key-watch.ts";
import { checkLine, KeyTable } from "./line.ts";

/** The longest run of lines from the start that is whole, chained, signed and within the rules. */
export async function salvageLines(lines: Iterable<string>): Promise<string[]> {
  const good: string[] = [];
  const keys = new KeyTable();
  const watch = new KeyWatch();
  const session = emptySession();
  let prev = GENESIS_PREV;
  for (const line of lines) {
    const bytes = Buffer.from(line);
    for (const [id, publicText] of watch.look(bytes)) keys.add(id, publicText);
    const { entry, problem } = readLine(bytes, checkLine(bytes, keys));
    if (problem) break;
    if (entry.prev !== prev || entry.seq !== good.length || judge(session, entry)) break;
    apply(session, entry);
    prev = sha256Hex(line);
    good.push(line);
  }
  return good;
}
