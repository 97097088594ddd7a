import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  BLOCK_BYTES,
  parseTarHeader,
  TAR_END,
  tarHeader,
  tarPadding,
} from "../../src/base/index.ts";
import type { VerificationReport } from "../../src/schema/index.ts";
import { verifyBundle } from "../../src/verify/index.ts";
import { temporaryFolder } from "../fake/sandbox.ts";

/** One file in a bundle. */
export interface Part {
  readonly name: string;
  readonly bytes: Buffer;
}

/** The parts of a bundle, and how it is put together again so that the packaging is beyond reproach. */
export function partsOf(bundle: Buffer): Part[] {
  const parts: Part[] = [];
  for (let at = 0; !bundle.subarray(at, at + BLOCK_BYTES).equals(TAR_END.subarray(BLOCK_BYTES)); ) {
    const { name, sizeBytes } = parseTarHeader(bundle.subarray(at, at + BLOCK_BYTES));
    const from = at + BLOCK_BYTES;
    parts.push({ name, bytes: bundle.subarray(from, from + sizeBytes) });
    at = from + sizeBytes + tarPadding(sizeBytes);
  }
  return parts;
}

export function packed(parts: readonly Part[]): Buffer {
  const members = parts.flatMap(({ name, bytes }) => [
    tarHeader(name, bytes.length),
    bytes,
    Buffer.alloc(tarPadding(bytes.length)),
  ]);
  return Buffer.concat([...members, TAR_END]);
}

/** The entries of a bundle, one line each, without the newline. */
export function entriesOf(parts: readonly Part[]): string[] {
  const text = parts.find(({ name }) => name === "entries.jsonl")?.bytes.toString() ?? "";
  return text.split("\n").slice(0, -1);
}

export function withEntries(parts: readonly Part[], lines: readonly string[]): Part[] {
  return withPart(parts, "entries.jsonl", lines.map((line) => `${line}\n`).join(""));
}

export function withPart(parts: readonly Part[], name: string, content: string): Part[] {
  return parts.map((part) => (part.name === name ? { name, bytes: Buffer.from(content) } : part));
}

/** Verifies bundles by writing each over the one before. */
export function bundleVerifier(): (bundle: Buffer) => Promise<VerificationReport> {
  const path = join(temporaryFolder(), "bundle.tar");
  return (bundle) => {
    writeFileSync(path, bundle);
    return verifyBundle(path, { profile: "default", mode: "full", threads: 0 });
  };
}

/** The codes of what was found, packaging left out: a correctly packaged forgery must fail for what it is. */
export function codesIn({ failures }: VerificationReport): string[] {
  const packaging = ["BUNDLE_MALFORMED", "ARTIFACT_UNCITED"];
  return failures.map(({ code }) => code).filter((code) => !packaging.includes(code));
}
