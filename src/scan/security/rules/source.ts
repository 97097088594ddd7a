import type { Origin, Value } from "../engine/value.ts";
import { MEMBER } from "../engine/value.ts";
import { type Definition, type Place, parameterName } from "../program.ts";
import type { Call } from "../rule.ts";

const REQUEST_PROPERTY =
  /^(?:query|body|params|param|url|originalUrl|path|pathname|headers|cookies|files|file|hostname|rawBody|querystring|args|form|values|json|data|GET|POST|FILES|COOKIES|META|get_json|query_params|path_params|stream|payload|search|host)$/;
/** What a handler finds at `this.request`; other objects keep requests of their own there. */
const SENT_PROPERTY = /^(?:query|url|originalUrl|path|body|querystring)$/;
const ANSWER_NAME = /^(?:_?res|resp|response|respons|reponse|respone|reply|next|h|rsp)$/;
const REQUEST_NAME = /^(?:req|request|_req)$/;
const CONTEXT_NAME = /^(?:ctx|context|koaCtx)$/;
const CONTEXT_PROPERTY = /^(?:query|request|params|path|url|req|headers|body|querystring)$/;

/** Names that exist without being declared and bring data from outside. */
export function sourceOfName(name: string, at: Place): Origin | undefined {
  if (name === "argv" || name === "__ARGV") return { kind: "argument", what: "argv", at };
  return undefined;
}

const OUTSIDE_MEMBERS: readonly [RegExp, "argument" | "environment" | "request", string][] = [
  [/^process\.argv$/, "argument", "process.argv"],
  [/^sys\.argv$/, "argument", "sys.argv"],
  [/^process\.env$/, "environment", "process.env"],
  [/^os\.environ$/, "environment", "os.environ"],
  [
    /^(?:window\.|document\.)?location\.(?:hash|search|href|pathname)$/,
    "request",
    "the page's address",
  ],
  [/^document\.(?:URL|documentURI|referrer|cookie)$/, "request", "the page's address"],
  [/^window\.name$/, "request", "window.name"],
  [/^(?:flask|bottle)\.request$/, "request", "the request"],
];

/** What a property brings in from outside, by its name and the object it is read from. */
export function sourceOfMember(
  object: Value,
  property: string,
  at: Place,
  readsArchives: boolean,
): Origin | undefined {
  const api = `${object.api ?? ""}.${property}`;
  for (const [pattern, kind, what] of OUTSIDE_MEMBERS)
    if (pattern.test(api)) return { kind, what, at };
  if (/(?:^|\.)request$/.test(object.api ?? "") && REQUEST_PROPERTY.test(property))
    return object.api?.startsWith("this.") && !SENT_PROPERTY.test(property)
      ? undefined
      : { kind: "request", what: `request.${property}`, at };
  return (
    sourceOfParameter(object, property, at) ?? sourceOfEntry(object, property, at, readsArchives)
  );
}

/** Frameworks keep the request of the platform in their own. */
const isInnerRequest = ({ api }: Value): boolean => /\.(?:raw|req|request)$/.test(api ?? "");

function sourceOfParameter(object: Value, property: string, at: Place): Origin | undefined {
  for (const { origin, shape } of object.flows) {
    if (origin.kind !== "parameter") continue;
    if ((shape & MEMBER) !== 0 && !isInnerRequest(object)) continue;
    const names = origin.of.parameters.map((parameter) => parameterName(parameter));
    if (isRequestPart(names, origin.index, property))
      return { kind: "request", what: `${names[origin.index] ?? ""}.${property}`, at };
  }
  return undefined;
}

/** Whether a parameter is a request, by its name and those beside it, and the property is sent. */
function isRequestPart(names: readonly string[], index: number, property: string): boolean {
  const name = names[index] ?? "";
  const hasAnswer = names.some((one) => ANSWER_NAME.test(one)) || name === "req";
  if (REQUEST_NAME.test(name) && hasAnswer && REQUEST_PROPERTY.test(property)) return true;
  const isFirst = index === 0 && names.length <= 2;
  return isFirst && CONTEXT_NAME.test(name) && CONTEXT_PROPERTY.test(property);
}

/** Names inside an archive are chosen by whoever made it. */
function sourceOfEntry(
  object: Value,
  property: string,
  at: Place,
  readsArchives: boolean,
): Origin | undefined {
  if (!readsArchives) return undefined;
  const isName = /^(?:path|fileName|filename|entryName|name|relativePath|linkname|linkName)$/.test(
    property,
  );
  const holder = object.from?.at(-1) ?? "";
  if (property === "files" && /zip|archive/i.test(holder))
    return { kind: "archive", what: `${holder}.files`, at };
  // In such a file, `x.path` is the name of an entry, unless x is named after something else.
  const isEntry = /(?:entry|entries|header|file|member|item|info|zip)/i.test(holder);
  const isOther = property === "name" || NO_ENTRY.test(holder);
  if (!isName || (!isEntry && isOther)) return undefined;
  return { kind: "archive", what: `${holder}.${property}`, at };
}

const NO_ENTRY =
  /^$|^(?:opts?|options|config|settings|this|self|args?|argv|params?|process|module|req|request|res|url|uri|path|root|parsed|parts|stats?|env|pkg|cwd|os|fs)$|[.[]/i;

const NETWORK_CALL = /^(?:requests\.(?:get|post)|urllib\.request\.urlopen|socket\.recv)$/;

/** What a call brings in from outside by itself. */
export function sourceOfCall(call: Call, at: Place): Origin | undefined {
  const { api, method } = call;
  if (api === "input" || api === "raw_input") return { kind: "argument", what: "input()", at };
  if (NETWORK_CALL.test(api) || (method === "recv" && call.args.length === 1))
    return { kind: "network", what: api, at };
  if (api === "os.getenv" || api === "os.environ.get")
    return { kind: "environment", what: api, at };
  if (api === "fs.readFileSync") return { kind: "file", what: "the content of a file", at };
  if (/^(?:namelist|infolist|getmembers|getnames)$/.test(method))
    return { kind: "archive", what: "the names in an archive", at };
  const isEntries =
    /^(?:getEntries|entries)$/.test(method) &&
    /zip|tar|archive/i.test(call.receiver?.from?.at(-1) ?? "");
  return isEntries ? { kind: "archive", what: "the entries of an archive", at } : undefined;
}

const SERVER = /^(?:https?|http2)\.(?:createServer|createSecureServer|Server)$/;

/** A server hands the request to this function, whatever its parameters are called. */
export function isHandler({ api }: Call, event: string, { parameters }: Definition): boolean {
  const [request, answer] = parameters.map((parameter) => parameterName(parameter));
  const isUsual = REQUEST_NAME.test(request ?? "") && ANSWER_NAME.test(answer ?? "");
  return (SERVER.test(api) || event === "request") && parameters.length === 2 && !isUsual;
}

/** Unpackers send their entries one by one; the other names need an archive module in the file. */
export const isArchiveEvent = (event: string, readsArchives: boolean): boolean =>
  event === "entry" || (readsArchives && /^(?:file|header)$/.test(event));

/** Events that carry data of the network or of another process. */
export function isOutsideEvent({ receiver }: Call, event: string): boolean {
  // What a program of one's own prints is not sent by a stranger.
  const isOutput = /(?:^|\.)(?:stdout|stderr)$/.test(receiver?.api ?? "");
  return /^(?:message|data)$/.test(event) && !isOutput;
}

export const readsFile = (call: Call): boolean => call.api === "fs.readFile";
