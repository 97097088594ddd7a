import { readFileSync } from "node:fs";
import { assert, decodeUtf8 } from "../base/index.ts";
import type { Cedar, CedarSchema } from "./cedar.ts";
import { type CedarRule, shippedRules } from "./cedar-rule.ts";
import { digestOf, type PolicyFile, shippedRulesPath } from "./policy-file.ts";

/** A rule whose text stands in its file, from one byte up to another. */
type PlacedRule = Omit<CedarRule, "text"> & { readonly start: number; readonly end: number };

/** What Cedar said about the shipped policies when they were last changed. */
export interface RuleList {
  /** Of the very files that the list was made from. */
  readonly digest: string;
  readonly rules: readonly PlacedRule[];
  /** In the form that is read quickly. */
  readonly schema: CedarSchema;
}

/** What is known of the shipped policies. */
export interface ShippedRules {
  readonly rules: readonly CedarRule[];
  /** Their schema, when they were held against it already. */
  readonly checked: CedarSchema | undefined;
}

/**
 * The rules of the shipped files. Asking Cedar for each takes longer than most tasks, so a list with
 * its answers comes along; it counts for the files it was made from and for no others. A list that
 * lies gains nothing: whoever can write it can write the policies beside it.
 */
export function rulesOfShipped(cedar: Cedar, files: readonly PolicyFile[]): ShippedRules {
  const list = readList();
  if (list?.digest === digestOf(files, [])) {
    const byName = new Map(files.map(({ name, bytes }) => [name, bytes]));
    const rules = list.rules.map(({ start, end, ...rule }) => {
      const text = byName.get(rule.file)?.subarray(start, end) ?? Buffer.alloc(0);
      return { ...rule, text: decodeUtf8(text) };
    });
    return { rules, checked: list.schema };
  }
  const written = files.filter(({ kind }) => kind === "cedar");
  return { rules: written.flatMap((file) => shippedRules(cedar, file)), checked: undefined };
}

/** Makes the list anew, from what Cedar says of the files. */
export function makeRuleList(cedar: Cedar, files: readonly PolicyFile[]): RuleList {
  const rules = files
    .filter(({ kind }) => kind === "cedar")
    .flatMap((file) =>
      shippedRules(cedar, file).map(({ text, ...rule }) => {
        const start = file.bytes.indexOf(text);
        return { ...rule, start, end: start + Buffer.byteLength(text) };
      }),
    );
  const schema = files.find(({ kind }) => kind === "schema");
  const written = cedar.schemaToJson(decodeUtf8(schema?.bytes ?? Buffer.alloc(0)));
  assert(written.type === "success", "the shipped schema is Cedar");
  return { digest: digestOf(files, []), rules, schema: written.json };
}

function readList(): RuleList | undefined {
  try {
    // It comes with the package, like this code: its digest says whether it belongs to the policies.
    return JSON.parse(readFileSync(shippedRulesPath(), "utf8")) as RuleList;
  } catch {
    // Without a list Cedar is asked, which is slower and gives the same rules.
    return undefined;
  }
}
