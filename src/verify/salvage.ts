import { sha256Hex } from "../base/index.ts";
import { GENESIS_PREV } from "../schema/index.ts";
import { apply, emptySession, judge, linksOf } from "../view/index.ts";
import { readLine } from "./entry-shape.ts";
import { KeyWatch } from "./key-watch.ts";
import { checkLine, KeyTable } from "./line.ts";
import { sameLinks } from "./trace-pass.ts";

/** The longest run of a trace's lines from the start that is whole, chained, signed and within the rules. */
export function salvageLines(lines: Iterable<string>, trace: string): string[] {
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
    if (entry.trace !== trace || entry.prev !== prev || entry.seq !== good.length) break;
    if (judge(session, entry) || !sameLinks(linksOf(session, entry), entry.parents)) break;
    apply(session, entry);
    prev = sha256Hex(line);
    good.push(line);
  }
  return good;
}
