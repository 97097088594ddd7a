/** Small and seeded, so that what failed once can be made again. */
export function seededRandom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const METHODS = ["GET", "HEAD", "POST", "PUT", "CONNECT", "get", "G\0T", "", "PRI", "GET\t"];
const TARGETS = [
  "/left-pad",
  "/@types%2fnode",
  "/left-pad/-/left-pad-1.0.0.tgz",
  "/../secret",
  "//secret",
  "/left-pad?secret",
  "/%2e%2e/secret",
  "*",
  "http://evil.example.net/",
  "/secret".repeat(200),
  "/left-pad#secret",
  "",
];
const VERSIONS = ["HTTP/1.1", "HTTP/1.0", "HTTP/2.0", "HTTP/1.1 ", "http/1.1", "HTTP/9", ""];
const HEADERS = [
  "Content-Length: 6",
  "Content-Length: 0",
  "Content-Length: -1",
  "Content-Length: 6, 6",
  "Transfer-Encoding: chunked",
  "Transfer-Encoding : chunked",
  " Transfer-Encoding: chunked",
  "Transfer-Encoding: gzip, chunked",
  "Upgrade: websocket",
  "Connection: upgrade",
  "Connection: keep-alive",
  "Connection: close",
  "Host: evil.example.net",
  "X: secret",
  "Cookie: secret",
  "Authorization: secret",
  "Expect: 100-continue",
  "Range: bytes=0-1,x",
  "Accept: text/\x01",
  "Accept: */*",
  ":",
  "",
];
const ENDS = ["\r\n", "\r\n", "\r\n", "\r\n", "\n", "\r", "\r\r\n", "\0"];
const BODIES = ["", "", "secret", "6\r\nsecret\r\n0\r\n\r\n", "GET /secret HTTP/1.1\r\n\r\n"];

/** Requests without end: some whole, most broken in one or more places, some plain noise. */
export function* generateRequests(seed: number, host: string): Generator<Buffer> {
  const random = seededRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T;
  for (;;) {
    const isSound = random(4) === 0;
    const some = (good: string, list: readonly string[]) =>
      isSound || random(3) > 0 ? good : pick(list);
    const end = () => (isSound || random(8) > 0 ? "\r\n" : pick(ENDS));
    const first = [some("GET", METHODS), some("/left-pad", TARGETS), some("HTTP/1.1", VERSIONS)];
    const headers = Array.from({ length: isSound ? 0 : random(5) }, () => pick(HEADERS) + end());
    const lines = [first.join(" ") + end(), some(`Host: ${host}`, HEADERS) + end(), ...headers];
    const bytes = Buffer.from(`${lines.join("")}${end()}${isSound ? "" : pick(BODIES)}`, "latin1");
    for (let flips = isSound ? 0 : random(3); flips > 0; flips -= 1) {
      if (bytes.length > 0) bytes[random(bytes.length)] = random(256);
    }
    yield bytes;
  }
}

const AUTHORITIES = [
  "evil.example.net:443",
  "127.0.0.1:443",
  "[::1]:443",
  "0x7f.1:443",
  "HOST.:PORT",
  "HOST",
  "HOST:99999",
  "HOST:PORT@evil.example.net",
  "HOST\0:PORT",
  "xn--HOST:PORT",
];

/** A way to begin a connection that leads nowhere: another host, or a handshake that was tampered with. */
export function generateOpening(
  seed: number,
  { host, port, hello }: { readonly host: string; readonly port: number; readonly hello: Buffer },
): Buffer {
  const random = seededRandom(seed);
  const hostile = AUTHORITIES[random(AUTHORITIES.length)] ?? "";
  const wanted = random(2) === 0 ? "HOST:PORT" : hostile;
  const authority = wanted.replace("HOST", host).replace("PORT", `${port}`);
  const handshake = Buffer.from(hello);
  for (let flips = 1 + random(4); flips > 0; flips -= 1) {
    handshake[random(handshake.length)] = random(256);
  }
  const head = `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`;
  const bytes = Buffer.concat([Buffer.from(head, "latin1"), handshake]);
  return bytes.subarray(0, 1 + random(bytes.length));
}

const ANSWER_HEADERS = [
  "Content-Length: 5",
  "Content-Length: 6",
  "Content-Length: 99999999999999999999",
  "Transfer-Encoding: chunked",
  "Transfer-Encoding: chunked, chunked",
  "Connection: close",
  "Location: https://evil.example.net/",
  "Set-Cookie: secret",
  "X: \x01",
  " folded",
  "",
];
const ANSWER_BODIES = [
  "",
  "hello",
  "5\r\nhello\r\n0\r\n\r\n",
  "fffffffff\r\nhello",
  "-1\r\n",
  "5\r\nhello0",
];
const STATUSES = [
  "200 OK",
  "200 OK",
  "404 No",
  "302 Found",
  "101 Switch",
  "100 Wait",
  "999 X",
  "20",
];

/** What an upstream might say that is broken or means harm; some of it is sound. */
export function generateAnswer(seed: number): Buffer {
  const random = seededRandom(seed);
  const pick = (list: readonly string[]): string => list[random(list.length)] ?? "";
  const headers = Array.from({ length: random(4) }, () => `${pick(ANSWER_HEADERS)}\r\n`);
  const text = `HTTP/1.1 ${pick(STATUSES)}\r\n${headers.join("")}\r\n${pick(ANSWER_BODIES)}`;
  const bytes = Buffer.from(text, "latin1");
  if (random(3) === 0) bytes[random(bytes.length)] = random(256);
  return bytes;
}
