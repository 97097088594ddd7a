import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { expect, test } from "vitest";

/** Imports point down these rows, never up and never sideways. */
const ROWS = [
  ["cli"],
  ["mcp"],
  ["flow"],
  ["plan", "admit", "run", "claim", "verify", "vote", "deliver"],
  ["keyring", "repo", "scan", "sandbox", "egress", "policy", "agent"],
  ["ledger", "artifact", "view", "inside"],
  ["base"],
  ["schema"],
];
/** What a stranger needs to verify a record: no network, no agent, no private key. */
const OFFLINE = ["verify", "ledger", "artifact", "view", "base", "schema"];
/** Files beside a folder's face that others may import: they are loaded alone, because they or the face are heavy. */
const SIDE_DOORS = [
  /^flow\//,
  /^inside\/inside-main\.ts$/,
  /^base\/data-fence\.ts$/,
  /^ledger\/(local|heads|sqlite|piece-hasher)\.ts$/,
  /^schema\/(address|vote|completion|cadence|beat-frame|limits|finding|priority|contract|review|config|execution|admission|manifest|agent|observation|run-info|packet|packet-report|session-report|task-packet|in-toto|tooling|plan|work-proof|work|ci-report|uncompiled)\.ts$/,
];
/** The one folder of the offline set that may load a database, and only through its side door. */
const PACKAGES: Record<string, RegExp> = {
  ledger: /^(zod|@photostructure\/sqlite)$/,
  keyring: /^(zod|age-encryption)$/,
};
const NETWORK = /^(node:)?(net|http|https|http2|dgram|dns|tls|child_process|cluster)(\/|$)/;

const SRC = resolve(import.meta.dirname, "../src");
const files = readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter((name) =>
  name.endsWith(".ts"),
);
const imports = files.flatMap((file) =>
  importsOf(readFileSync(join(SRC, file), "utf8")).map((specifier) => ({ file, specifier })),
);

/** Static, type-only, dynamic and re-exporting imports, over several lines too. */
function importsOf(source: string): string[] {
  const patterns = [
    /\bfrom\s*["']([^"']+)["']/g,
    /\bimport\s*\(\s*["']([^"']+)["']\s*\)/g,
    /\bimport\s*["']([^"']+)["']/g,
  ];
  return patterns.flatMap((pattern) =>
    [...source.matchAll(pattern)].map((match) => match[1] ?? ""),
  );
}

const folderOf = (file: string): string => (file.includes("/") ? (file.split("/")[0] ?? "") : "");
const rowOf = (folder: string): number => ROWS.findIndex((row) => row.includes(folder));
const targetOf = ({ file, specifier }: { file: string; specifier: string }): string =>
  relative(SRC, resolve(SRC, file, "..", specifier));
const own = imports.filter(({ specifier }) => specifier.startsWith("."));
const foreign = imports.filter(({ specifier }) => !specifier.startsWith("."));

test("the scan sees the code it claims to check", () => {
  expect(files.length).toBeGreaterThan(40);
  expect(own.length).toBeGreaterThan(100);
  expect(own.filter((edge) => !files.includes(targetOf(edge)))).toEqual([]);
});

test("every folder has a row", () => {
  const folders = new Set(files.map(folderOf).filter((folder) => folder !== ""));
  expect([...folders].filter((folder) => rowOf(folder) < 0)).toEqual([]);
});

test("imports point down, never up and never sideways", () => {
  const wrong = own.filter((edge) => {
    const [from, to] = [folderOf(edge.file), folderOf(targetOf(edge))];
    return from !== "" && from !== to && rowOf(from) >= rowOf(to);
  });
  expect(wrong).toEqual([]);
});

test("other folders are entered through their face", () => {
  const wrong = own.filter((edge) => {
    const target = targetOf(edge);
    const isFace = target.endsWith("/index.ts") || SIDE_DOORS.some((door) => door.test(target));
    return folderOf(edge.file) !== folderOf(target) && !isFace;
  });
  expect(wrong).toEqual([]);
});

test("the offline set needs no network, no other process, and no package it does not name", () => {
  const inside = foreign.filter(({ file }) => OFFLINE.includes(folderOf(file)));
  expect(inside.length).toBeGreaterThan(10);
  const wrong = inside.filter(({ file, specifier }) => {
    if (specifier.startsWith("node:")) return NETWORK.test(specifier);
    return !(PACKAGES[folderOf(file)] ?? /^zod$/).test(specifier);
  });
  expect(wrong).toEqual([]);
});

test("verifying a bundle loads no database and no key", () => {
  const loaded = new Set<string>();
  const visit = (file: string): void => {
    if (loaded.has(file)) return;
    loaded.add(file);
    for (const edge of own.filter((edge) => edge.file === file)) visit(targetOf(edge));
  };
  visit("verify/index.ts");
  expect(loaded.size).toBeGreaterThan(20);
  const wrong = [...loaded].filter((file) =>
    /^(ledger\/(local|sqlite)\.ts|keyring\/|flow\/)/.test(file),
  );
  expect(wrong).toEqual([]);
});

test("the offline set stays within itself", () => {
  const wrong = own.filter(
    (edge) => OFFLINE.includes(folderOf(edge.file)) && !OFFLINE.includes(folderOf(targetOf(edge))),
  );
  expect(wrong).toEqual([]);
});

test("only flow appends to a ledger", () => {
  const wrong = own.filter(
    (edge) =>
      targetOf(edge) === "ledger/local.ts" && !["flow", "ledger"].includes(folderOf(edge.file)),
  );
  expect(wrong).toEqual([]);
});
