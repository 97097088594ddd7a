/** Only an address of the machine itself, with nothing in front that could name another host. */
const LOOPBACK =
  /^(?:[a-z]+:\/\/)?(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(?::\d{1,5})?(?:[/?#]|$)/i;
const WRITE_METHOD = /^(POST|PUT|PATCH|DELETE|MKCOL|REPORT|BATCH|UPLOAD|PROPPATCH|COPY|MOVE)$/i;

/** Options of curl with one letter that take a value. */
const CURL_VALUES = "AbcCDeEFhHKmMoPQrtTuUwxXyYzd";
const CURL_UPLOADS = "TFd";
const CURL_LONG = [
  "--upload-file",
  "--form",
  "--form-string",
  "--data",
  "--data-ascii",
  "--data-binary",
  "--data-raw",
  "--data-urlencode",
  "--json",
  "--mail-from",
];
/** Options that send a request elsewhere than its address says. */
const DETOURS = [
  "--proxy",
  "--preproxy",
  "--connect-to",
  "--resolve",
  "--socks5",
  "--config",
  "-K",
  "-x",
];
const WGET_LONG = ["--post-data", "--post-file", "--body-data", "--body-file"];

/** How a call of curl sends something to another machine, where it does: `curl -T`. */
export function curlUpload(args: readonly string[]): string | undefined {
  const flag = args
    .map((arg, at) => curlFlag(arg, args[at + 1] ?? ""))
    .find((one) => one !== undefined);
  return flag === undefined || isLocal(args) ? undefined : `curl ${flag}`;
}

/** The same for wget: `wget --post-file`. */
export function wgetUpload(args: readonly string[]): string | undefined {
  const flag = args
    .map((arg, at) => wgetFlag(arg, args[at + 1] ?? ""))
    .find((one) => one !== undefined);
  return flag === undefined || isLocal(args) ? undefined : `wget ${flag}`;
}

/** HTTPie and its kin: a method that writes, a field, or a file. */
export function httpieUpload(program: string, args: readonly string[]): string | undefined {
  const sends = args.find((arg) => WRITE_METHOD.test(arg) || /^[^/?-][^/?]*(=|:=|@)/.test(arg));
  return sends === undefined || isLocal(args) ? undefined : `${program} with data`;
}

/** Long options can be cut short as long as they stay clear: --upload is --upload-file. */
function longFlag(arg: string, all: readonly string[]): string | undefined {
  const name = arg.split("=", 1)[0] ?? "";
  return name.length < 4 ? undefined : all.find((one) => one.startsWith(name));
}

function curlFlag(arg: string, next: string): string | undefined {
  if (/^--req/.test(arg)) return methodFlag(next);
  if (arg.startsWith("--")) return longFlag(arg, CURL_LONG);
  if (!arg.startsWith("-")) return undefined;
  // Letters stand together, -sSfT; the first that takes a value takes the rest as its value.
  const at = [...arg].findIndex((letter, index) => index > 0 && CURL_VALUES.includes(letter));
  if (at < 0) return undefined;
  const letter = arg[at] ?? "";
  if (CURL_UPLOADS.includes(letter)) return `-${letter}`;
  return letter === "X" ? methodFlag(arg.slice(at + 1) || next) : undefined;
}

function methodFlag(method: string): string | undefined {
  return WRITE_METHOD.test(method) ? `-X ${method.toUpperCase()}` : undefined;
}

function wgetFlag(arg: string, next: string): string | undefined {
  const [name = "", value = next] = arg.split("=", 2);
  if (name === "--method") return WRITE_METHOD.test(value) ? `--method=${value}` : undefined;
  return arg.startsWith("--") ? longFlag(arg, WGET_LONG) : undefined;
}

/** Whether everything that looks like an address is this machine. Without any, nobody knows. */
function isLocal(args: readonly string[]): boolean {
  if (
    args.some((arg) => DETOURS.some((detour) => arg === detour || arg.startsWith(`${detour}=`)))
  ) {
    return false;
  }
  const addresses = args.filter((arg) => /:\/\//.test(arg) || LOOPBACK.test(arg));
  return addresses.length > 0 && addresses.every((address) => LOOPBACK.test(address));
}
