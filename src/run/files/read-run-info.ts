import { parse } from "yaml";
import { messageOf, readPlainFile, SwornError } from "../../base/index.ts";
import { RunInfo } from "../../schema/run-info.ts";

const BYTES_MAX = 1 << 20;

/**
 * Reads a `run-info.yaml` that we or somebody else wrote.
 *
 * @throws SwornError `INPUT_INVALID` for another version and for what is no such file.
 */
export function readRunInfo(path: string): RunInfo {
  const text = readPlainFile(path, BYTES_MAX).toString("utf8");
  let value: unknown;
  try {
    value = parse(text, { maxAliasCount: 0, schema: "core" });
  } catch (cause) {
    throw new SwornError("INPUT_INVALID", `${path} is no YAML: ${messageOf(cause)}`, { cause });
  }
  const parsed = RunInfo.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue?.path.join(".") || "the document";
  throw new SwornError("INPUT_INVALID", `${path}: ${where}: ${issue?.message ?? "invalid"}`);
}
