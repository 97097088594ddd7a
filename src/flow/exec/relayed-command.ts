/** Connects the inside's loopback with the socket, in the one language that is there when socat is not. */
const NODE_RELAY =
  'const net=require("node:net");const[p,t]=process.argv.slice(1);net.createServer((a)=>{const b=net.connect(p);a.pipe(b).pipe(a);a.on("error",()=>b.destroy());b.on("error",()=>a.destroy())}).listen(Number(t),"127.0.0.1")';

/**
 * The shell inside the sandbox starts the relay, waits until it listens, and becomes the command.
 * The command travels as arguments, so nothing of it is read by the shell.
 */
const SCRIPT = [
  "socket=$1; port=$2; listening=$3; shift 3",
  'if command -v socat >/dev/null 2>&1; then socat "TCP-LISTEN:$port,bind=127.0.0.1,fork,reuseaddr" "UNIX-CONNECT:$socket" &',
  `else node -e '${NODE_RELAY}' "$socket" "$port" & fi`,
  "tries=0",
  'while [ $tries -lt 200 ] && ! grep -q "$listening" /proc/net/tcp; do tries=$((tries+1)); sleep 0.05; done',
  'exec "$@"',
].join("\n");

/** A command that finds the proxy's socket as an ordinary proxy on a port of its own loopback. */
export function relayedCommand(socket: string, port: number, argv: readonly string[]): string[] {
  // As the kernel lists it: 127.0.0.1 the other way round, and the port in hexadecimal.
  const listening = `0100007F:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  return ["sh", "-c", SCRIPT, "sh", socket, `${port}`, listening, ...argv];
}
