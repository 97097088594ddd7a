import type { WorkProof } from "../../schema/work-proof.ts";
import { cutAt, isPath, notAPath, unquoted } from "./sentence-parts.ts";
import { readStateSentence } from "./state-sentence.ts";

/** One of LAW 02's fixed sentences, turned into proofs; or what keeps it from being that. */
export type FixedSentence =
  | { readonly kind: "state" | "sections"; readonly proofs: readonly WorkProof[] }
  | { readonly kind: "health"; readonly request: HealthRequest }
  | { readonly kind: "state" | "sections" | "health"; readonly problem: string };

/** What a service has to answer; what starts it is said in the instruction. */
export interface HealthRequest {
  readonly path: string;
  readonly status: number;
  readonly port?: number;
  readonly body?: string;
}

const SENTENCE_CHARS_MAX = 4_000;
/** What each of them begins with. */
const SUBJECT = /^\s*(?:the\s+)?(?:file|service|document)\s/i;

/** Reads a text as one of the fixed sentences; undefined where it is none of them. */
export function readFixedSentence(text: string): FixedSentence | undefined {
  if (text.length > SENTENCE_CHARS_MAX || !SUBJECT.test(text)) return undefined;
  const sentence = text.replaceAll(/\s+/g, " ").trim().replace(/[.!]$/, "");
  return readSections(sentence) ?? readHealth(sentence) ?? readStateSentence(sentence);
}

/** `Document X contains sections A, B, C in order`. */
function readSections(sentence: string): FixedSentence | undefined {
  const [head, list] = cutAt(sentence, / contains (?:the )?sections:? /i) ?? [];
  if (head === undefined || list === undefined || !/^(?:the )?document /i.test(head))
    return undefined;
  const kind = "sections";
  const named = /^(?<all>.*?),? in (?:this |that |the given )?order$/i.exec(list)?.groups?.["all"];
  if (named === undefined) return { kind, problem: 'end it with "in order"' };
  const path = unquoted(head.replace(/^(?:the )?document /i, ""));
  if (!isPath(path)) return { kind, problem: notAPath(path) };
  const headings = listed(named);
  if (headings.length === 0)
    return { kind, problem: "name the sections, with commas between them" };
  if (headings.length > 100) return { kind, problem: "name at most 100 sections" };
  return { kind, proofs: [{ kind: "sections", path, headings }] };
}

/** `Service X responds to Y with status Z`. */
function readHealth(sentence: string): FixedSentence | undefined {
  const [head, rest] = cutAt(sentence, / responds? to /i) ?? [];
  if (head === undefined || rest === undefined || !/^(?:the )?service /i.test(head))
    return undefined;
  const kind = "health";
  const [asked, answer] =
    cutAt(rest, / with (?:a |an )?(?:http )?(?:status )?(?:code )?(?=\d)/i) ?? [];
  const said =
    /^(?<status>[1-5]\d\d)(?: and (?:a )?body (?:that )?contain(?:s|ing) (?<body>.+))?$/i.exec(
      answer ?? "",
    )?.groups;
  if (asked === undefined || said === undefined) {
    return { kind, problem: 'end it with "with status 200", or whichever it is' };
  }
  const target =
    /^(?:(?:a |an )?(?<method>[A-Z]+)(?: request)?(?: to)? )?(?:http:\/\/[\w.-]+(?::(?<port>\d{1,5}))?)?(?<path>\/[^\s]*)?$/.exec(
      unquoted(asked),
    )?.groups;
  const { method = "GET", port, path = "/" } = target ?? {};
  if (target === undefined || method !== "GET") {
    return {
      kind,
      problem: 'name what is asked as a path: "responds to GET /health with status 200"',
    };
  }
  const { status, body } = said;
  return {
    kind,
    request: {
      path,
      status: Number(status),
      ...(port === undefined ? {} : { port: Number(port) }),
      ...(body === undefined ? {} : { body: unquoted(body) }),
    },
  };
}

/** `A, "B, with a comma" and C`. */
function listed(text: string): string[] {
  const parts = text.match(/"[^"]*"|“[^“”]*”|`[^`]*`|[^,"“`]+/g) ?? [];
  return parts
    .map((part) => unquoted(part.trim().replace(/^and /i, "").trim()))
    .filter((part) => /[\p{L}\p{N}]/u.test(part) && part !== "and");
}
