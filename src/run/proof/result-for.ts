import { canonicalize, type Json, messageOf, parseJson } from "../../base/index.ts";
import type { PlanSubtask } from "../../schema/plan.ts";
import { yamlParser } from "../yaml/index.ts";
import { readCommitFile } from "./commit-file.ts";
import { probeService } from "./probe-service.ts";
import type { ProofScene } from "./scene.ts";

const OUTPUT_BYTES_MAX = 1 << 20;
const ALIASES_MAX = 100;

/** What the assertions of a subtask judge, or why there is nothing. */
export type ResultFact = { readonly result: Json } | { readonly why: string };

/** The parts of a subtask that say where its result comes from. */
export type ResultSource = Pick<PlanSubtask, "type" | "output_schema" | "proofs" | "files">;

/**
 * Finds what `result` is for a subtask. Assertions import nothing, so that facts about files and
 * services are taken by us: for CONFIG the file as it is in the commit, for INFRA the answer of its
 * service. For CODE and DOCS it is what the worker says in its output file, and of that only the keys
 * that the plan declares.
 *
 * @param output the text of the worker's output file, where it left one
 */
export async function resultFor(
  subtask: ResultSource,
  scene: ProofScene,
  output: string | undefined,
): Promise<ResultFact> {
  try {
    if (subtask.type === "CONFIG") return await configResult(subtask, scene);
    if (subtask.type === "INFRA") return await serviceResult(subtask, scene);
    return outputResult(subtask, output);
  } catch (error) {
    // Without facts nothing is judged, and nothing is taken for a fact.
    return { why: messageOf(error) };
  }
}

function outputResult({ output_schema }: ResultSource, output: string | undefined): ResultFact {
  if (output === undefined) return { why: "the worker left no output file" };
  const said = parseJson(output, OUTPUT_BYTES_MAX);
  if (said === null || typeof said !== "object" || Array.isArray(said)) {
    return { why: "the worker's output file holds no JSON object" };
  }
  const declared = Object.entries(said).filter(([key]) => Object.hasOwn(output_schema, key));
  return { result: Object.fromEntries(declared) };
}

/** One file is the result itself; of several, each is under its path. */
async function configResult(
  { proofs, files = [] }: ResultSource,
  scene: ProofScene,
): Promise<ResultFact> {
  const checked = proofs.flatMap((proof) => (proof.kind === "json" ? [proof.path] : []));
  const owned = files.filter((path) => !path.endsWith("/"));
  const paths = [...new Set(checked.length > 0 ? checked : owned)];
  if (paths.length === 0) return { why: "no file is named that could be looked at" };
  const found: [string, Json][] = [];
  for (const path of paths) found.push([path, await parsedFile(path, scene)]);
  const [first] = found;
  return { result: found.length === 1 && first ? first[1] : Object.fromEntries(found) };
}

/** A file that is not there is null; one of no form that is known here is its text. */
async function parsedFile(path: string, { repository, after }: ProofScene): Promise<Json> {
  const file = await readCommitFile(repository, after, path);
  if (file.state === "absent") return null;
  if (file.state === "unread") throw new Error(file.why);
  if (/\.json$/i.test(path)) return parseJson(file.text, OUTPUT_BYTES_MAX);
  if (!/\.ya?ml$/i.test(path)) return file.text;
  return parsedYaml(path, file.text);
}

function parsedYaml(path: string, text: string): Json {
  if (text.length > OUTPUT_BYTES_MAX) throw new Error(`${path} is too large to be read as YAML`);
  const { parseDocument } = yamlParser();
  const document = parseDocument(text, { logLevel: "silent", prettyErrors: false });
  const [wrong] = document.errors;
  if (wrong !== undefined) throw new Error(`${path} is not YAML: ${wrong.message}`);
  // Through its one spelling: what JSON cannot say is no fact that an assertion could judge.
  return parseJson(canonicalize(document.toJS({ maxAliasCount: ALIASES_MAX })), OUTPUT_BYTES_MAX);
}

async function serviceResult({ proofs }: ResultSource, scene: ProofScene): Promise<ResultFact> {
  const asked = proofs.find((proof) => proof.kind === "http");
  if (asked === undefined) return { why: "no service is named that could be asked" };
  const answer = await probeService(asked, scene);
  if (typeof answer === "string") return { why: answer };
  const { started, status = null, headers, body } = answer;
  return { result: { started, status, headers, body, json: jsonIn(body) } };
}

/** Assertions cannot parse; null where the answer is no JSON. */
function jsonIn(body: string): Json {
  try {
    return parseJson(body, OUTPUT_BYTES_MAX);
  } catch {
    return null;
  }
}
