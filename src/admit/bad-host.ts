/** One label or more, in the one spelling a name has: lower case, no dot at its end, no escapes. */
const HOST =
  /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*(:[0-9]{1,5})?$/;
const HOST_CHARS_MAX = 259;
const PORT_MAX = 65_535;

/**
 * Whether a host of an allow-list is anything but a plain name with or without a port. Addresses are
 * refused in all spellings: a name whose last label begins with a digit is read as a number by some.
 */
export function isBadHost(host: string): boolean {
  if (host.length > HOST_CHARS_MAX || !HOST.test(host)) return true;
  const [name = "", port = "1"] = host.split(":");
  const last = name.split(".").at(-1) ?? "";
  // A name in Punycode can look like another one, and nobody needs it for a registry.
  const isTwin = name.split(".").some((label) => label.startsWith("xn--"));
  return (
    /^[0-9]/.test(last) || last === "onion" || isTwin || Number(port) < 1 || Number(port) > PORT_MAX
  );
}
