import { execFileSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { sha256Hex } from "../../../src/base/index.ts";
import { classify } from "../../../src/scan/classify/index.ts";
import { verifies } from "../../verifies.ts";
import { EMAIL, SSN } from "../personal/people.ts";
import { drawn, githubToken, privateKey } from "../secret/tokens.ts";

const of = (path: string, text: string | Buffer) => classify(path, Buffer.from(text));
const rules = (path: string, text: string | Buffer): string[] =>
  of(path, text).findings.map(({ rule }) => rule);

verifies("004-75", "a settings file, a private key or a token blocks, wherever it lies", () => {
  const der = generateKeyPairSync("ed25519").privateKey.export({ format: "der", type: "pkcs8" });
  const sealed = generateKeyPairSync("ed25519").privateKey.export({
    format: "der",
    type: "pkcs8",
    cipher: "aes-256-cbc",
    passphrase: "p",
  });
  const cases: readonly (readonly [string, string, string | Buffer])[] = [
    ["env-file", ".env", "A=1"],
    ["env-file", "app/.env.production", "A=1"],
    ["env-file", "deploy/prod.env", "A=1"],
    ["private-key", "notes.txt", privateKey()],
    ["private-key-der", "blob.bin", der],
    ["private-key-der", "blob.bin", sealed],
    ["key-file", "home/id_ed25519", "anything"],
    ["key-file", "x/.aws/credentials", "anything"],
    ["java-keystore", "blob", Buffer.from("feedfeed00", "hex")],
    ["github-token", "src/main.ts", `const t = "${githubToken()}";`],
    ["github-token", "wide.txt", Buffer.from(githubToken(), "utf16le")],
    ["github-token", "wide.txt", Buffer.from(`\ufeff${githubToken()}`, "utf16le").swap16()],
    [
      "github-token",
      "mixed.bin",
      Buffer.concat([Buffer.alloc(9_000, "plain "), Buffer.from(githubToken(), "utf16le")]),
    ],
    [
      "github-token",
      "mixed.bin",
      Buffer.concat([Buffer.alloc(9_000, 200), Buffer.from(githubToken(), "utf16le").swap16()]),
    ],
    ["github-token", "image.png", Buffer.from(`\u0089PNG\u00ff ${githubToken()} `, "latin1")],
  ];
  for (const [rule, path, text] of cases) {
    const judgement = of(path, text);
    expect(judgement, path).toMatchObject({
      classification: "restricted",
      isBlocking: true,
      isFlagged: true,
    });
    expect(judgement.findings.map((one) => one.rule)).toEqual([rule]);
  }
});

test("a pattern to copy, a public key and ordinary text are internal and not flagged", () => {
  for (const path of [
    ".env.example",
    "app/.env.template",
    "id_rsa.pub",
    "a.ts",
    "environment.ts",
  ]) {
    expect(of(path, "A=changeme\n")).toEqual({
      classification: "internal",
      pii: false,
      isBlocking: false,
      isFlagged: false,
      findings: [],
    });
  }
  expect(of(".env.example", `T=${githubToken()}\n`).isBlocking).toBe(true);
});

test("a finding has the line and the hash of the text, and nowhere the text", () => {
  const token = githubToken();
  const judgement = of("a.ts", `one\ntwo ${token}\n`);
  expect(judgement.findings).toEqual([{ rule: "github-token", line: 2, sha256: sha256Hex(token) }]);
  expect(JSON.stringify(judgement)).not.toContain(token.slice(4, 12));
});

test("a keyed hash can take the place of the plain one, which a short number does not resist", () => {
  const { findings } = classify("a", Buffer.from(SSN), { hash: (text) => `k${text.length}` });
  expect(findings).toEqual([{ rule: "us-social-security-number", line: 1, sha256: "k11" }]);
});

test("a guess by its name is restricted and flagged, and does not block", () => {
  expect(of("a.ts", `const password = "${drawn(16)}";`)).toMatchObject({
    classification: "restricted",
    isBlocking: false,
    isFlagged: true,
    pii: false,
  });
});

test("what is about a person is pii; a number of a citizen is restricted as well", () => {
  expect(of("a.md", `by ${EMAIL}`)).toMatchObject({
    classification: "internal",
    pii: true,
    isFlagged: true,
    isBlocking: false,
  });
  expect(of("a.md", SSN)).toMatchObject({ classification: "restricted", pii: true });
  expect(of("a.log", "from 93.184.215.14")).toMatchObject({ pii: false, isFlagged: false });
});

test("a file is public only by the caller's word, and never when something was found", () => {
  const asPublic = (text: string) =>
    classify("a", Buffer.from(text), { baseline: "public" }).classification;
  expect(asPublic("hello")).toBe("public");
  expect(asPublic(EMAIL)).toBe("internal");
  expect(asPublic(githubToken())).toBe("restricted");
});

test("a secret that the runtime holds blocks in any form", () => {
  const held = ["correct horse battery staple"];
  const hidden = Buffer.from(held[0] ?? "").toString("base64");
  expect(classify("a", Buffer.from(hidden), { held }).isBlocking).toBe(true);
});

/** Real archives, made by the tools that everybody uses. */
function archive(kind: "tar" | "tgz" | "zip", files: Record<string, string>): Buffer {
  const folder = mkdtempSync(join(tmpdir(), "sworn-classify-"));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, "in", path)), { recursive: true });
      writeFileSync(join(folder, "in", path), text);
    }
    const target = join(folder, `out.${kind}`);
    const names = Object.keys(files);
    if (kind === "zip") {
      const script =
        "import sys,zipfile\nz=zipfile.ZipFile(sys.argv[1],'w',zipfile.ZIP_DEFLATED)\n[z.write(n) for n in sys.argv[2:]]\nz.close()";
      execFileSync("python3", ["-c", script, target, ...names], { cwd: join(folder, "in") });
    } else {
      const flags = kind === "tgz" ? "-czf" : "-cf";
      execFileSync("tar", [flags, target, "--", ...names], { cwd: join(folder, "in") });
    }
    return readFileSync(target);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test.each(["tar", "tgz", "zip"] as const)("a %s is opened and its members are judged", (kind) => {
  const long = `${"folder/".repeat(20)}.env`;
  const bytes = archive(kind, {
    "a.ts": `const t = "${githubToken()}";\n`.repeat(3),
    [long]: "A=1\n",
  });
  const judgement = classify(`dist.${kind}`, bytes);
  expect(judgement.isBlocking).toBe(true);
  const found = judgement.findings.map(({ rule, member }) => `${rule} ${member ?? ""}`);
  expect(found).toContain("github-token a.ts");
  expect(found).toContain(`env-file ${long}`);
  expect(classify(`dist.${kind}`, archive(kind, { "a.ts": "nothing" })).isFlagged).toBe(false);
});

test("what cannot be looked into is restricted and flagged", () => {
  const damaged = gzipSync("text that is long enough to be cut").subarray(0, 20);
  const bomb = gzipSync(Buffer.alloc(300_000_000), { level: 1 });
  const nested = Array.from({ length: 8 }).reduce<Buffer>(
    (inside) => gzipSync(inside),
    Buffer.from("a"),
  );
  for (const bytes of [Buffer.from("fd377a585a0000", "hex"), damaged, bomb, nested]) {
    expect(classify("a.bin", bytes)).toMatchObject({
      classification: "restricted",
      isFlagged: true,
      isBlocking: false,
    });
  }
  // Stopped while it is unpacked, and not when all of it is in memory.
  expect(rules("a.gz", bomb)).toEqual(["not-looked-into"]);
  expect(rules("a.zip", Buffer.from("PK\u0003\u0004 and no end", "latin1"))).toEqual([
    "not-looked-into",
  ]);
});

test("a file full of secrets has a bounded list", () => {
  const text = Array.from({ length: 3_000 }, (_, at) => githubToken(at + 1)).join("\n");
  expect(of("a", text).findings).toHaveLength(1_000);
});

test("a program names whom to write to about it, and waits for nobody because of that", () => {
  const address = Buffer.from("\0write to peter.miller@gmail.com\0");
  const program = Buffer.concat([Buffer.from("7f454c460201010000000000", "hex"), address]);
  expect(classify("bin/tool", program)).toMatchObject({ isFlagged: false, isBlocking: false });
  expect(classify("people.txt", address)).toMatchObject({ isFlagged: true });
});

test("a token in a name blocks as one in the content does", () => {
  const token = ["ghp", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"].join("_");
  expect(classify(`${token}.txt`, Buffer.from("harmless"))).toMatchObject({ isBlocking: true });
  expect(classify("harmless.txt", Buffer.from("harmless"))).toMatchObject({ isBlocking: false });
});
