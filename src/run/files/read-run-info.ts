import { messageOf, readPlainFile, SwornError } from "../../base/index.ts";
import { RunInfo } from "../../schema/run-info.ts";
import { yamlParser } from "../yaml/index.ts";

const BYTES_MAX = 1 << 20;
/** What stands before a line's text, and open brackets; ours has none of the first, and few of the others. */
const DEEP = /^[ \-?:]{200}|(?:[[{][^[\]{}"]{0,100}){200}/m;

/**
 * Reads a `run-info.yaml` that we or somebody else wrote.
 *
 * @throws SwornError `INPUT_INVALID` for another version and for what is no such file,
 * `LIMIT_EXCEEDED` for one that is too long or nests too deep.
 */
export function readRunInfo(path: string): RunInfo {
  const text = readPlainFile(path, BYTES_MAX).toString("utf8");
  // The parser calls itself for each level, and a file of nothing else takes the whole process down.
  if (DEEP.test(text)) throw new SwornError("LIMIT_EXCEEDED", `${path} nests too deep`);
  let value: unknown;
  try {
    value = yamlParser().parse(text, { maxAliasCount: 0, schema: "core", prettyErrors: false });
  } catch (cause) {
    throw new SwornError("INPUT_INVALID", `${path} is no YAML: ${messageOf(cause)}`, { cause });
  }
  const parsed = RunInfo.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue?.path.join(".") || "the document";
  throw new SwornError("INPUT_INVALID", `${path}: ${where}: ${issue?.message ?? "invalid"}`);
}
