import type { Json } from "../base/index.ts";
import type { Citation } from "../schema/finding.ts";
import { cutText } from "./cut-text.ts";
import { asLine, asList, asText, member } from "./json-value.ts";

/** The place a SARIF location names; undefined if it names no file. */
export function toCitation(location: Json, run: Json): Citation | undefined {
  const physical = member(location, "physicalLocation");
  const artifact = member(physical, "artifactLocation");
  const file = fileOf(artifact, run);
  if (file === undefined) return undefined;
  const region = member(physical, "region");
  const line = asLine(member(region, "startLine"));
  const end = asLine(member(region, "endLine"));
  const quote = asText(member(member(region, "snippet"), "text"));
  return {
    file,
    ...(line === undefined ? {} : { line }),
    ...(line !== undefined && end !== undefined && end > line ? { end_line: end } : {}),
    ...(quote === undefined ? {} : { quote: cutText(quote.replaceAll("\r\n", "\n"), 20_000) }),
  };
}

/**
 * The file as text. Escapes are decoded once; a base other than the sources' root is put in front.
 * Nothing here is opened: `file://` and `..` stay what they say, for whoever checks paths.
 */
function fileOf(artifact: Json | undefined, run: Json): string | undefined {
  const listed = asList(member(run, "artifacts"))[indexOf(member(artifact, "index"))];
  const direct = asText(member(artifact, "uri"));
  const location = direct === undefined ? member(listed, "location") : artifact;
  const uri = direct ?? asText(member(location, "uri"));
  if (uri === undefined || uri.length > 4_096) return undefined;
  const base = asText(member(location, "uriBaseId"));
  const bases = member(run, "originalUriBaseIds");
  const prefix = base === undefined ? undefined : asText(member(member(bases, base), "uri"));
  const isRelative = prefix !== undefined && !prefix.includes(":") && !prefix.startsWith("/");
  const file = decoded(isRelative ? `${prefix.replace(/\/?$/, "/")}${uri}` : uri);
  return file === "" ? undefined : cutText(file, 4_096);
}

const indexOf = (value: Json | undefined): number =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : -1;

function decoded(uri: string): string {
  if (uri.startsWith("file:")) return uri;
  try {
    return decodeURIComponent(uri);
  } catch {
    // Not every tool escapes what it writes; a name with a percent sign stays as it is.
    return uri;
  }
}
