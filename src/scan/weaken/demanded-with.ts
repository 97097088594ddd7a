import { type Node, parseSource } from "../syntax/index.ts";
import { boundNames, nodesOf } from "./bound-names.ts";
import { kindOf } from "./reading.ts";
import { isManner } from "./strength.ts";

const FILE_CHARS_MAX = 2_000_000;
const TEXT_CHARS_MAX = 300;
const ASSERTING = /^(?:assert|expect)/i;
/** What a call stands in whose answer nobody asks for: it is there to fail. */
const DROPPED = /^(?:expression_statement|arrow_function)$/;

/**
 * The modules of the project that a file of tests demands something with, as it names them: `./assert.js` of
 * `equal(add(1, 2), 3)`. Whoever writes those decides what a test lets through.
 */
export function demandedWith(path: string, text: string): readonly string[] {
  if (text.length > FILE_CHARS_MAX) return [];
  const parsed = parseSource(path, text);
  if (parsed === undefined) return [];
  const { root, language } = parsed;
  const from = boundNames(parsed);
  if (from.size === 0) return [];
  const calls = nodesOf(root, [language === "python" ? "call" : "call_expression"]);
  const modules = calls.filter(isDropped).flatMap((call) => {
    const [, first = "", rest = ""] =
      /^([\w$]+)((?:\.[\w$]+)*)\s*\(/.exec(call.text().slice(0, TEXT_CHARS_MAX)) ?? [];
    const names = [first, ...rest.split(".").filter((name) => name !== "")];
    const isDemand = ASSERTING.test(first) || isManner(names.at(-1) ?? "");
    return isDemand ? (from.get(first) ?? []) : [];
  });
  return [...new Set(modules)];
}

function isDropped(call: Node): boolean {
  const above = call.parent();
  const outer = /^await/.test(kindOf(above)) ? above?.parent() : above;
  return DROPPED.test(kindOf(outer));
}
