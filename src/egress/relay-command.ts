import { SwornError } from "../base/index.ts";

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
