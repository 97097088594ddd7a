import { assert, SwornError } from "../base/index.ts";

/** In one line, because it travels as an argument: loopback in, the socket out. */
const NODE_RELAY = [
  'const net = require("node:net");',
  "const [path, port] = process.argv.slice(1);",
  "const serve = (inner) => {",
  "const outer = net.connect(path);",
  "inner.pipe(outer).pipe(inner);",
  'inner.on("error", () => outer.destroy());',
  'outer.on("error", () => inner.destroy());',
  "};",
  'net.createServer(serve).listen(Number(port), "127.0.0.1");',
].join(" ");

/**
 * The command that connects a port of the inside's loopback to the proxy's socket, for programs
 * that know proxies by host and port only. It runs inside and is trusted with nothing.
 *
 * @throws SwornError `INPUT_INVALID` for a path that socat would read as options.
 */
export function relayCommand(kind: "socat" | "node", socketPath: string, port: number): string[] {
  if (kind === "node") return ["node", "-e", NODE_RELAY, socketPath, String(port)];
  if (/[^A-Za-z0-9/._-]/.test(socketPath)) {
    throw new SwornError(
      "INPUT_INVALID",
      `${JSON.stringify(socketPath)}: socat reads other characters than letters, digits, / . _ - as options`,
    );
  }
  return [
    "socat",
    `TCP-LISTEN:${port},bind=127.0.0.1,fork,reuseaddr`,
    `UNIX-CONNECT:${socketPath}`,
  ];
}

/**
 * A command that finds the proxy's socket as an ordinary proxy on a port of its own loopback: the
 * shell inside starts the relay, waits until it listens, and becomes the command. The command travels
 * as arguments, so nothing of it is read by the shell.
 *
 * @param homeFiles a folder inside whose files belong into the task's home: some settings of clients
 * can be given in no other way
 */
export function relayedCommand(
  socketPath: string,
  port: number,
  argv: readonly string[],
  homeFiles?: string,
): string[] {
  const [socat, node] = (["socat", "node"] as const).map((kind) =>
    quoted(relayCommand(kind, socketPath, port)),
  );
  // As the kernel lists it: 127.0.0.1 the other way round, and the port in hexadecimal.
  const listening = `0100007F:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const script = [
    ...(homeFiles === undefined
      ? []
      : [`cp -R ${quoted([`${homeFiles}/.`])} "$HOME/" || exit 125`]),
    `if command -v socat >/dev/null 2>&1; then ${socat} & else ${node} & fi`,
    "tries=0",
    `while [ $tries -lt 200 ] && ! grep -q ${listening} /proc/net/tcp; do tries=$((tries+1)); sleep 0.05; done`,
    'exec "$@"',
  ].join("\n");
  return ["sh", "-c", script, "sh", ...argv];
}

function quoted(words: readonly string[]): string {
  assert(!words.some((word) => word.includes("'")), "a relay's words hold no single quote");
  return words.map((word) => `'${word}'`).join(" ");
}
