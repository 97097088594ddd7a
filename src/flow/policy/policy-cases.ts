import { readdirSync, realpathSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import * as z from "zod";
import {
  assert,
  decodeUtf8,
  type Json,
  messageOf,
  parseJson,
  readPlainFile,
  SwornError,
} from "../../base/index.ts";
import { shippedCasesPath } from "../../policy/index.ts";
import { AdmissionCase, MOMENTS } from "../../schema/admission.ts";

const CASE_BYTES_MAX = 4_194_304;
const CASE_FILES_MAX = 1_000;
const ENDING = ".facts.json";

/** Facts as they usually are, and what is different in each case: one change says what a case is about. */
const ShippedCases = z.strictObject({
  start: z.json(),
  complete: z.json(),
  cases: z.array(
    AdmissionCase.omit({ facts: true }).extend({
      moment: z.enum(MOMENTS),
      set: z.record(z.string(), z.json()),
      drop: z.array(z.string()).default([]),
    }),
  ),
});

/** A case and the file it is from. */
export interface CaseFrom {
  readonly from: string;
  readonly case: AdmissionCase;
}

/** The tests of the shipped policies, which are shipped with them. */
export function shippedCases(): CaseFrom[] {
  const file = ShippedCases.parse(readCaseFile(shippedCasesPath()));
  return file.cases.map(({ moment, set, drop, ...rest }) => {
    const facts: unknown = structuredClone(file[moment]);
    for (const [path, value] of Object.entries(set)) change(facts, path, value);
    for (const path of drop) change(facts, path, undefined);
    return { from: "shipped", case: { ...rest, facts } };
  });
}

/**
 * A user's cases: one file, or all `*.facts.json` of a folder.
 *
 * @throws SwornError `NOT_FOUND`, `INPUT_INVALID` with the file and the member that is wrong.
 */
export function userCases(path: string): CaseFrom[] {
  return caseFiles(path).map((file) => {
    const parsed = AdmissionCase.safeParse(readCaseFile(file));
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      const where = issue?.path.join(".") || "the document";
      throw new SwornError("INPUT_INVALID", `${file}: ${where}: ${issue?.message}`);
    }
    return { from: basename(file), case: parsed.data };
  });
}

/** A document that somebody wrote, read strictly. */
export function readCaseFile(path: string): Json {
  try {
    return parseJson(decodeUtf8(readPlainFile(path, CASE_BYTES_MAX)), CASE_BYTES_MAX);
  } catch (cause) {
    const code = cause instanceof SwornError ? cause.code : "NOT_FOUND";
    throw new SwornError(code, `${path} cannot be read: ${messageOf(cause)}`, { cause });
  }
}

function caseFiles(path: string): string[] {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) throw new SwornError("NOT_FOUND", `there is no file or folder ${path}`);
  if (!found.isDirectory()) return [path];
  const names = readdirSync(realpathSync(path)).filter((name) => name.endsWith(ENDING));
  if (names.length > CASE_FILES_MAX) {
    throw new SwornError("LIMIT_EXCEEDED", `${path} has more than ${CASE_FILES_MAX} cases`);
  }
  return names.sort().map((name) => join(path, name));
}

/** Sets, or without a value removes, what lies at a dotted path. */
function change(facts: unknown, path: string, value: Json | undefined): void {
  const steps = path.split(".");
  const last = steps.pop();
  const at = steps.reduce<unknown>(
    (object, step) => (object as Record<string, unknown>)[step],
    facts,
  );
  assert(typeof at === "object" && at !== null && last !== undefined, `${path} is in the facts`);
  if (value === undefined) delete (at as Record<string, unknown>)[last];
  else (at as Record<string, unknown>)[last] = value;
}
