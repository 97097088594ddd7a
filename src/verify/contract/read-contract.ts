import type * as z from "zod";
import { messageOf, parseJson } from "../../base/index.ts";
import { Contract } from "../../schema/contract.ts";

const CONTRACT_BYTES_MAX = 1_048_576;
/** Most lines of one list in the answer; the last one says how many more there are. */
const LISTED_MAX = 100;
/** What the check writes beside the contract: no agent delivers its work under these names. */
const RESERVED = ["inscription.json", "completion.json", "inline-validation.json", "state.json"];
/** What a contract may lack, and a reader has to know that it lacks. */
const OPTIONAL = [
  "timestamp",
  "nonce",
  "aggregator",
  "verification",
  "context_engineering",
] as const;

/** What is wrong with a contract, and where: `teammates[1].output_file`. */
export interface ContractProblem {
  readonly path: string;
  readonly message: string;
}

/** A contract with what was left aside and what it lacks, or all that is wrong with it. */
export type ContractReading =
  | {
      readonly kind: "contract";
      readonly contract: Contract;
      /** Fields of other tools, left aside. */
      readonly ignored: readonly string[];
      /** Fields it may lack and does lack; their defaults hold. */
      readonly absent: readonly string[];
    }
  | { readonly kind: "problems"; readonly problems: readonly ContractProblem[] };

/**
 * Reads `inscription.json`, whoever wrote it. A field we do not know is left aside and named; a
 * field we know must be right, because a duty that is misread is a duty that is not checked.
 */
export function readContract(text: string): ContractReading {
  let value: unknown;
  try {
    value = parseJson(text, CONTRACT_BYTES_MAX);
  } catch (error) {
    return { kind: "problems", problems: [{ path: "", message: messageOf(error) }] };
  }
  const ignored = takeUnknown(value, Contract.safeParse(value).error?.issues ?? []);
  const parsed = Contract.safeParse(value);
  const problems = parsed.success
    ? clashes(parsed.data)
    : parsed.error.issues.map(({ path, message }) => ({ path: written(path), message }));
  if (!parsed.success || problems.length > 0) {
    const more = { path: "", message: `and ${problems.length - LISTED_MAX} more` };
    return { kind: "problems", problems: listed(problems, more) };
  }
  const absent = OPTIONAL.filter((field) => parsed.data[field] === undefined);
  const names = listed(ignored, `and ${ignored.length - LISTED_MAX} more`);
  return { kind: "contract", contract: parsed.data, ignored: names, absent };
}

/** Takes out of a freshly parsed value what the shape does not know, and says what that was. */
function takeUnknown(value: unknown, issues: readonly z.core.$ZodIssue[]): string[] {
  return issues.flatMap((issue) => {
    if (issue.code !== "unrecognized_keys") return [];
    const holder = issue.path.reduce<unknown>(
      (at, step) => (at as Record<PropertyKey, unknown>)[step],
      value,
    ) as Record<string, unknown>;
    return issue.keys.map((key) => {
      delete holder[key];
      return written([...issue.path, key.slice(0, 200)]);
    });
  });
}

/** What is right in each field and wrong between them. */
function clashes({ teammates, aggregator, output_dir }: Contract): ContractProblem[] {
  const problems: ContractProblem[] = [];
  const parts = output_dir.split(/[/\\]/);
  if (parts[0] === "" || parts.includes("..") || /^[a-z]:/i.test(output_dir)) {
    problems.push({ path: "output_dir", message: "expected a path inside the project" });
  }
  const names = new Set<string>(["__proto__"]);
  const outputs = new Set<string>(aggregator ? [aggregator.output_file.toLowerCase()] : []);
  if (aggregator && RESERVED.includes(aggregator.output_file.toLowerCase())) {
    problems.push({ path: "aggregator.output_file", message: "the check itself writes this file" });
  }
  for (const [index, { name, output_file }] of teammates.entries()) {
    if (RESERVED.includes(output_file.toLowerCase())) {
      problems.push({
        path: `teammates[${index}].output_file`,
        message: "the check itself writes this file",
      });
    }
    // One file cannot be two deliverables: the second would pass with the first one's work.
    if (outputs.has(output_file.toLowerCase())) {
      problems.push({
        path: `teammates[${index}].output_file`,
        message: "another one writes this file",
      });
    }
    if (names.has(name.toLowerCase())) {
      problems.push({ path: `teammates[${index}].name`, message: "the name is taken" });
    }
    outputs.add(output_file.toLowerCase());
    names.add(name.toLowerCase());
  }
  return problems;
}

function written(path: readonly PropertyKey[]): string {
  return path.reduce<string>((so, step) => {
    if (typeof step === "number") return `${so}[${step}]`;
    return so === "" ? String(step) : `${so}.${String(step)}`;
  }, "");
}

function listed<T>(items: readonly T[], more: T): readonly T[] {
  return items.length > LISTED_MAX ? [...items.slice(0, LISTED_MAX), more] : items;
}
