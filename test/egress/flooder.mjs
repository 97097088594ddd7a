// Opens many connections to a socket and holds them, opening each anew when it is cut.
// Usage: node flooder.mjs <socket> <count> <authority>; says "full" once all were open, ends with its input.
import { connect } from "node:net";

const [path, count, authority] = process.argv.slice(2);
/** What the connections say, in turns: nothing, half a head, a CONNECT without a handshake, garbage. */
const WORDS = [
  "",
  "GET http://exam",
  `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`,
  "\0\0\0\0",
];
let opened = 0;

function open(at, isFirst) {
  let wasOpen = false;
  const socket = connect({ path });
  socket.on("connect", () => {
    wasOpen = true;
    socket.write(WORDS[at % WORDS.length]);
    if (isFirst) opened += 1;
    if (isFirst && opened === Number(count)) process.stdout.write("full\n");
  });
  socket.on("data", () => undefined);
  socket.on("error", () => undefined);
  // The kernel's queue of waiting connections is short: who does not fit in tries again a little later.
  socket.on("close", () => setTimeout(() => open(at, isFirst && !wasOpen), 20 + (at % 50)));
}

for (let at = 0; at < Number(count); at += 1) open(at, true);
process.stdin.on("end", () => process.exit(0)).resume();
