import { closeSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { BLOCK_BYTES, TAR_END, tarHeader, tarPadding } from "../../src/base/index.ts";
import { entriesOf, type Part, packed, withEntries } from "./bundle-parts.ts";

/** A header with something changed in it, and the sum that a tar reader checks made right again. */
function header(name: string, size: number, change: (header: Buffer) => void): Buffer {
  const bytes = tarHeader(name, size);
  change(bytes);
  bytes.fill(" ", 148, 156);
  let sum = 0;
  for (const byte of bytes) sum += byte;
  bytes.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return bytes;
}

const typed =
  (flag: string, target = "") =>
  (bytes: Buffer) => {
    bytes.write(flag, 156, "latin1");
    bytes.write(target, 157, 100, "latin1");
  };
const sized = (field: Buffer) => (bytes: Buffer) => void field.copy(bytes, 124);

/** Bundles whose packaging tries something. Each is the good bundle with one thing about it turned bad. */
export function badPackaging(parts: readonly Part[]): Record<string, Buffer> {
  const good = packed(parts);
  const behind = (extra: Buffer) =>
    Buffer.concat([good.subarray(0, -TAR_END.length), extra, TAR_END]);
  const renamed = (name: string) =>
    packed(parts.map((part, at) => (at === parts.length - 1 ? { ...part, name } : part)));
  const first = (change: (header: Buffer) => void) =>
    Buffer.concat([header("checkpoint", parts[0]?.bytes.length ?? 0, change), good.subarray(512)]);
  const hash = "f".repeat(64);
  const base256 = (lead: number) => Buffer.from([lead, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0]);
  return {
    "a name that climbs out": renamed("../outside"),
    "a name that climbs out of the artifacts": renamed("artifacts/../../outside"),
    "an absolute name": renamed("/tmp/outside"),
    "a name with a backslash": renamed("artifacts\\outside"),
    "an upper-case hash": renamed(`artifacts/${hash.toUpperCase()}`),
    "a hard link": behind(header(`artifacts/${hash}`, 0, typed("1", "keys.json"))),
    "a symbolic link": behind(header(`artifacts/${hash}`, 0, typed("2", "/etc/hostname"))),
    "a device": behind(header(`artifacts/${hash}`, 0, typed("3"))),
    "a folder": behind(header("artifacts/", 0, typed("5"))),
    "a queue": behind(header(`artifacts/${hash}`, 0, typed("6"))),
    "a long name as GNU writes it": Buffer.concat([
      header("././@LongLink", 10, typed("L")),
      Buffer.from("../outside".padEnd(BLOCK_BYTES, "\0")),
      good,
    ]),
    "a pax header": Buffer.concat([
      header("PaxHeaders/x", 20, typed("x")),
      Buffer.from("20 path=../outside\n".padEnd(BLOCK_BYTES, "\0")),
      good,
    ]),
    "a global pax header": Buffer.concat([header("pax_global", 0, typed("g")), good]),
    "a claim of 4 GB": first(sized(Buffer.from("40000000000\0"))),
    "a claim of 8 GB less one": first(sized(Buffer.from("77777777777\0"))),
    "entries that claim 8 GB less one": Buffer.concat([
      packed(parts.slice(0, 2)).subarray(0, -TAR_END.length),
      tarHeader("entries.jsonl", 0o77777777777),
      good.subarray(-4096),
    ]),
    "a claim larger than the file": first(sized(Buffer.from("00000200000\0"))),
    "a size in base 256": first(sized(base256(0x80))),
    "a negative size in base 256": first(sized(base256(0xff))),
    "a negative size in octal": first(sized(Buffer.from("-0000000001\0"))),
    "a size with spaces": first(sized(Buffer.from("        100\0"))),
    "a member that stands there twice": behind(packed(parts.slice(-1)).subarray(0, -1024)),
    "the fixed members in another order": packed([...parts.slice(1, 2), ...parts.slice(0, 1)]),
    "only the end of an archive": TAR_END,
    "bytes behind the end": Buffer.concat([good, Buffer.alloc(512)]),
    "a second archive behind the first": Buffer.concat([good, good]),
    "no end": good.subarray(0, -TAR_END.length),
    "another kind of file": Buffer.from("\u001f\u008b\b not a tar at all ".repeat(100), "latin1"),
    nothing: Buffer.alloc(0),
  };
}

/** Bundles whose packaging is right and whose lines are not. */
export function badLines(parts: readonly Part[]): Record<string, Buffer> {
  const lines = entriesOf(parts);
  const put = (line: string | Buffer) => {
    const bytes = Buffer.concat([
      Buffer.from(`${lines.slice(0, 5).join("\n")}\n`),
      Buffer.from(line),
      Buffer.from(`\n${lines.slice(5).join("\n")}\n`),
    ]);
    return packed(parts.map((one) => (one.name === "entries.jsonl" ? { ...one, bytes } : one)));
  };
  const [first = "", second = ""] = lines;
  return {
    "a line nested a hundred thousand deep": put("[".repeat(100_000) + "]".repeat(100_000)),
    "an entry nested a hundred thousand deep": put(
      second.replace(/"body":\{/, `"body":${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)},"b":{`),
    ),
    "a line of two megabytes": put(JSON.stringify({ text: "x".repeat(2_000_000) })),
    "a key given twice": put(second.replace('{"actor"', '{"v":1,"actor"')),
    "a lone surrogate": put(second.replace(/"text":"/, '"text":"\\ud800')),
    "bytes that are no text": put(Buffer.from([0x22, 0xff, 0xfe, 0x22])),
    "a zero byte": put("\0"),
    "an empty line": put(""),
    "a number that is too large": put('{"seq":1e999}'),
    "a key called __proto__": put(second.replace('{"actor"', '{"__proto__":{"x":1},"actor"')),
    "a key called constructor": put(second.replace('{"actor"', '{"constructor":1,"actor"')),
    "lines that end as on Windows": packed(
      withEntries(
        parts,
        lines.map((line) => `${line}\r`),
      ),
    ),
    "a byte order mark": packed(withEntries(parts, lines.with(0, `\ufeff${first}`))),
    "entries that are all empty lines": packed(
      withEntries(parts, Array(5_000).fill("") as string[]),
    ),
    "entries that are not entries": packed(withEntries(parts, ["null", "1", '"a"', "[]", "{}"])),
    "a checkpoint that is no text": notText(parts, "checkpoint"),
    "keys that are no text": notText(parts, "keys.json"),
  };
}

function notText(parts: readonly Part[], name: string): Buffer {
  const bytes = Buffer.from([0xc3, 0x28, 0x0a]);
  return packed(parts.map((part) => (part.name === name ? { name, bytes } : part)));
}

/** A bundle whose entries are two hundred megabytes of zeros that take no room on disk. */
export function writeZeros(path: string, parts: readonly Part[], bytes: number): void {
  const before = packed(parts.slice(0, 2)).subarray(0, -TAR_END.length);
  const fd = openSync(path, "w");
  writeSync(fd, Buffer.concat([before, tarHeader("entries.jsonl", bytes)]));
  const end = before.length + BLOCK_BYTES + bytes;
  writeSync(fd, "\n", end - 1);
  ftruncateSync(fd, end + tarPadding(bytes) + TAR_END.length);
  closeSync(fd);
}

/** A bundle with a great many empty artifacts that no entry cites. */
export function writeCrowd(path: string, parts: readonly Part[], members: number): void {
  const fd = openSync(path, "w");
  writeSync(fd, packed(parts.slice(0, 3)).subarray(0, -TAR_END.length));
  for (let from = 0; from < members; from += 1_000) {
    const headers = Array.from({ length: 1_000 }, (_, at) =>
      tarHeader(`artifacts/${(from + at).toString(16).padStart(64, "0")}`, 0),
    );
    writeSync(fd, Buffer.concat(headers));
  }
  writeSync(fd, TAR_END);
  closeSync(fd);
}
