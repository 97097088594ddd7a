import type { WorkProof, WorkProofOf } from "../../schema/work-proof.ts";
import type { FixedSentence } from "./fixed-sentences.ts";
import { cutAt, isPath, notAPath, unquoted } from "./sentence-parts.ts";

const kind = "state";
/** Formats of one setting a line, in which a field without levels is found by a pattern. */
const FLAT =
  /(?:^|\/)(?:\.env[\w.-]*|\.[a-z]+rc)$|\.(?:ya?ml|toml|ini|cfg|conf|env|properties|editorconfig)$/i;
const FIELDS_MAX = 50;

/** `File X exists at path Y with field Z = value W`, with several fields, with none, or absent. */
export function readStateSentence(sentence: string): FixedSentence | undefined {
  const subject = /^(?:the )?file /i.exec(sentence);
  if (!subject) return undefined;
  const rest = sentence.slice(subject[0].length);
  const [head, fields] = cutAt(rest, /,? (?:with|has|and has) (?:the )?fields? /i) ?? [
    rest,
    undefined,
  ];
  const place = readPlace(head);
  if (place === undefined) {
    if (fields === undefined) return undefined;
    return { kind, problem: 'write it as "File X exists at path Y with field Z = value W"' };
  }
  const { path, present } = place;
  if (!isPath(path)) return { kind, problem: notAPath(path) };
  const proofs: WorkProof[] = [{ kind: "file", path, present }];
  if (fields === undefined) return { kind, proofs };
  if (!present) return { kind, problem: "a file that does not exist has no fields" };
  for (const field of splitFields(fields)) {
    const proof = readField(path, field);
    if (typeof proof === "string") return { kind, problem: proof };
    proofs.push(proof);
  }
  return { kind, proofs };
}

function readPlace(head: string): { path: string; present: boolean } | undefined {
  const said =
    /^(?<name>"[^"]+"|`[^`]+`|'[^']+'|\S+)(?<verb> exists| is present| does not exist| is absent)?(?: (?:at|in|under)(?: the)?(?: path)? (?<path>"[^"]+"|`[^`]+`|'[^']+'|\S+))?(?<late> exists| is present| does not exist| is absent)?$/i.exec(
      head.trim(),
    )?.groups;
  if (said === undefined) return undefined;
  const name = unquoted(said["name"] ?? "");
  const at = said["path"] === undefined ? name : unquoted(said["path"]);
  const verb = (said["verb"] ?? said["late"] ?? "").toLowerCase();
  return {
    path: at.endsWith("/") ? at + name : at,
    present: !/does not exist|is absent/.test(verb),
  };
}

function splitFields(fields: string): string[] {
  return fields.split(/,? and (?:the )?field |, (?:the )?field /i, FIELDS_MAX);
}

/** `server.port = value 8080`, as a proof about the file at the path. */
function readField(path: string, text: string): WorkProof | string {
  const said =
    /^(?<name>"[^"]+"|`[^`]+`|'[^']+'|[^\s=:]+) ?(?:==?|:|equals|equal to|set to|is) ?(?:the )?(?:value )?(?<value>.+)$/i.exec(
      text.trim(),
    )?.groups;
  if (said === undefined)
    return `write its field as "field Z = value W", found "${text.slice(0, 80)}"`;
  const name = unquoted(said["name"] ?? "");
  const value = said["value"] ?? "";
  if (/\.json$/i.test(path))
    return { kind: "json", path, pointer: toPointer(name), equals: toValue(value) };
  if (!FLAT.test(path) || /[./[]/.test(name)) {
    return `field ${name} of ${path} cannot be looked up: name a JSON file, or write the plan with proofs of its own`;
  }
  const shown = escaped(String(unquoted(value)));
  const pattern = `^\\s*(?:export\\s+)?["']?${escaped(name)}["']?\\s*[:=]\\s*["']?${shown}["']?\\s*[,;]?\\s*(?:[#;].*)?$`;
  return { kind: "pattern", path, pattern, present: true };
}

/** `a.b[0]` as RFC 6901 writes it; a name with a leading slash is that already. */
function toPointer(name: string): string {
  if (name.startsWith("/")) return name;
  const steps = name.replaceAll(/\[(\d+)\]/g, ".$1").split(".");
  return steps.map((step) => `/${step.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** A value as JSON where it is that, else as text; quotes make it text. */
function toValue(text: string): WorkProofOf<"json">["equals"] {
  const trimmed = text.trim();
  if (/^["'“]/.test(trimmed)) return unquoted(trimmed);
  const inner = unquoted(trimmed);
  try {
    // What JSON.parse gives is JSON.
    return JSON.parse(inner) as WorkProofOf<"json">["equals"];
  } catch {
    // A bare word is text.
    return inner;
  }
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}
