import { type Refusal, refuse } from "./refusal.ts";

const NAME_CHARS_MAX = 253;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** What C libraries read as a number at the end of an address: decimal, octal or hexadecimal. */
const NUMBER = /^(?:[0-9]+|0x[0-9a-f]*)$/;

/**
 * The one spelling of a host name, or why it is none. A name that could be read as an address in
 * any spelling is refused, so that no resolver down the line turns it into one.
 *
 * @param listed names that the user's own configuration spells out; only these may be punycode
 */
export function parseHostName(text: string, listed: ReadonlySet<string>): string | Refusal {
  const shown = JSON.stringify(text.slice(0, 64));
  if (/[:[\]%]/.test(text)) {
    return refuse("ip-literal", `${shown} is an address; expected a host name from the list`);
  }
  if (text === "" || text.length > NAME_CHARS_MAX) {
    return refuse("name", `expected a host name of 1 to ${NAME_CHARS_MAX} characters`);
  }
  if (text.endsWith(".")) {
    return refuse("trailing-dot", `${shown} ends in a dot; write the name without it`);
  }
  const name = text.toLowerCase();
  const labels = name.split(".");
  if (NUMBER.test(labels.at(-1) ?? "")) {
    return refuse("ip-literal", `${shown} is an address; expected a host name from the list`);
  }
  if (!labels.every((label) => LABEL.test(label))) {
    return refuse("name", `${shown} has characters other than letters, digits and hyphens`);
  }
  if (labels.at(-1) === "onion") {
    return refuse("onion", `${shown} is a hidden service; these are never reached`);
  }
  if (labels.some((label) => label.startsWith("xn--")) && !listed.has(name)) {
    return refuse("punycode", `${shown} is written in punycode and not listed in that spelling`);
  }
  return name;
}

/** A port in its one decimal spelling. */
export function parsePort(text: string): number | undefined {
  if (!/^[1-9][0-9]{0,4}$/.test(text)) return undefined;
  const port = Number(text);
  return port <= 65_535 ? port : undefined;
}
