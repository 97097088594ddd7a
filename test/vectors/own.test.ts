import { createHash, createPrivateKey, createPublicKey, sign } from "node:crypto";
import { ED25519_TORSION_SUBGROUP, ed25519 } from "@noble/curves/ed25519.js";
import { describe, expect, test } from "vitest";
import {
  canonicalize,
  DEPTH_MAX,
  isSignedBy,
  keyIdOf,
  openNote,
  parseVerifierKey,
  sha256Hex,
  signNote,
  toPublicKey,
  toVerifierKey,
} from "../../src/base/index.ts";
import {
  EMPTY_ROOT,
  isConsistent,
  isIncluded,
  leafHash,
  nodeHash,
  proveConsistency,
  proveInclusion,
  TreeHead,
} from "../../src/ledger/index.ts";

const base64Of = (hex: string): string => Buffer.from(hex, "hex").toString("base64");

describe("Ed25519 (RFC 8032, 7.1)", () => {
  const CASES = [
    {
      name: "TEST 1",
      secret: "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
      key: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
      message: "",
      signature:
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    },
    {
      name: "TEST 2",
      secret: "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
      key: "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
      message: "72",
      signature:
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    },
    {
      name: "TEST 3",
      secret: "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
      key: "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
      message: "af82",
      signature:
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    },
  ];

  test.each(CASES)("$name is signed and verified", ({ secret, key, message, signature }) => {
    const bytes = Buffer.from(message, "hex");
    expect(sign(null, bytes, privateKeyOf(secret)).toString("hex")).toBe(signature);
    const publicKey = toPublicKey(base64Of(key));
    expect(isSignedBy(publicKey, bytes, Buffer.from(signature, "hex"))).toBe(true);
  });

  test.each(CASES)("$name with any byte changed is refused", ({ key, message, signature }) => {
    const publicKey = toPublicKey(base64Of(key));
    const bytes = Buffer.from(message, "hex");
    for (let index = 0; index < 64; index += 1) {
      const changed = Buffer.from(signature, "hex");
      changed.writeUInt8(changed.readUInt8(index) ^ 1, index);
      expect(isSignedBy(publicKey, bytes, changed), `byte ${index}`).toBe(false);
    }
    expect(
      isSignedBy(publicKey, Buffer.from(`${message}00`, "hex"), Buffer.from(signature, "hex")),
    ).toBe(false);
    expect(isSignedBy(publicKey, bytes, Buffer.from(signature, "hex").subarray(0, 63))).toBe(false);
    expect(isSignedBy(publicKey, bytes, Buffer.from(`${signature}00`, "hex"))).toBe(false);
  });

  test("a signature with the group order added to it is refused", () => {
    const [{ key, signature } = { key: "", signature: "" }] = CASES;
    const order = 2n ** 252n + 27742317777372353535851937790883648493n;
    const scalar = littleEndian(Buffer.from(signature, "hex").subarray(32)) + order;
    const changed = Buffer.concat([Buffer.from(signature, "hex").subarray(0, 32), toBytes(scalar)]);
    expect(isSignedBy(toPublicKey(base64Of(key)), Buffer.alloc(0), changed)).toBe(false);
  });
});

describe("public keys", () => {
  const PRIME = 2n ** 255n - 19n;
  /** Every 32-byte string whose y coordinate, reduced, belongs to a point of small order. */
  const encodings = [
    ...new Set(ED25519_TORSION_SUBGROUP.map((hex) => yOf(Buffer.from(hex, "hex")))),
  ]
    .flatMap((y) => [y, y + PRIME])
    .filter((y) => y < 2n ** 255n)
    .flatMap((y) => [toBytes(y), toBytes(y | (1n << 255n))]);

  test("the list of encodings covers all eight points and their second spellings", () => {
    expect(ED25519_TORSION_SUBGROUP).toHaveLength(8);
    // Five y coordinates, two of them with a second spelling, each with two sign bits.
    expect(encodings).toHaveLength(14);
    const spelled = new Set(encodings.map((bytes) => bytes.toString("hex")));
    expect(ED25519_TORSION_SUBGROUP.filter((hex) => !spelled.has(hex))).toEqual([]);
  });

  test.each(encodings.map((bytes) => bytes.toString("hex")))(
    "small order is refused: %s",
    (hex) => {
      expect(ed25519.Point.fromBytes(Buffer.from(hex, "hex"), true).isSmallOrder()).toBe(true);
      expect(() => toPublicKey(base64Of(hex))).toThrow(/small-order|canonical/);
    },
  );

  test("every y coordinate at or above the prime is refused", () => {
    for (let y = PRIME; y < 2n ** 255n; y += 1n) {
      for (const bytes of [toBytes(y), toBytes(y | (1n << 255n))]) {
        expect(() => toPublicKey(bytes.toString("base64")), bytes.toString("hex")).toThrow(
          /canonical/,
        );
      }
    }
  });

  test("fifty random keys are accepted and verify what they signed", () => {
    for (let round = 0; round < 50; round += 1) {
      const secret = ed25519.utils.randomSecretKey();
      const key = toPublicKey(Buffer.from(ed25519.getPublicKey(secret)).toString("base64"));
      const message = Buffer.from(`message ${round}`);
      expect(isSignedBy(key, message, ed25519.sign(message, secret))).toBe(true);
    }
  });

  test("only one base64 spelling of a key is accepted", () => {
    const text = base64Of("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a");
    // The last digit before the padding carries two unused bits.
    expect(text.endsWith("o=")).toBe(true);
    for (const other of [`${text.slice(0, -2)}p=`, text.slice(0, -1), `${text}=`, ` ${text}`]) {
      expect(() => toPublicKey(other), other).toThrow(/32 bytes/);
    }
  });

  test("a key id is the first half of the key's SHA-256", () => {
    const key = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";
    const digest = createHash("sha256").update(Buffer.from(key, "hex")).digest("hex");
    expect(keyIdOf(base64Of(key))).toBe(digest.slice(0, 32));
  });

  function yOf(bytes: Buffer): bigint {
    return littleEndian(bytes) & (2n ** 255n - 1n);
  }
});

describe("canonical JSON (RFC 8785)", () => {
  /** Appendix B of the RFC, and a few more at the edges of ECMAScript's notation. */
  const NUMBERS: [string, string][] = [
    ["0000000000000000", "0"],
    ["8000000000000000", "0"],
    ["0000000000000001", "5e-324"],
    ["8000000000000001", "-5e-324"],
    ["7fefffffffffffff", "1.7976931348623157e+308"],
    ["ffefffffffffffff", "-1.7976931348623157e+308"],
    ["4340000000000000", "9007199254740992"],
    ["c340000000000000", "-9007199254740992"],
    ["4430000000000000", "295147905179352830000"],
    ["44b52d02c7e14af5", "9.999999999999997e+22"],
    ["44b52d02c7e14af6", "1e+23"],
    ["44b52d02c7e14af7", "1.0000000000000001e+23"],
    ["444b1ae4d6e2ef4e", "999999999999999700000"],
    ["444b1ae4d6e2ef4f", "999999999999999900000"],
    ["444b1ae4d6e2ef50", "1e+21"],
    ["3eb0c6f7a0b5ed8c", "9.999999999999997e-7"],
    ["3eb0c6f7a0b5ed8d", "0.000001"],
    ["3e7ad7f29abcaf48", "1e-7"],
    ["41b3de4355555553", "333333333.3333332"],
    ["41b3de4355555554", "333333333.33333325"],
    ["41b3de4355555555", "333333333.3333333"],
    ["41b3de4355555556", "333333333.3333334"],
    ["41b3de4355555557", "333333333.33333343"],
    ["becbf647612f3696", "-0.0000033333333333333333"],
    ["43143ff3c1cb0959", "1424953923781206.2"],
    ["3ff8000000000000", "1.5"],
    ["c059000000000000", "-100"],
  ];

  test.each(NUMBERS)("the double %s is written %s", (hex, text) => {
    expect(canonicalize(Buffer.from(hex, "hex").readDoubleBE())).toBe(text);
  });

  test("names are ordered by UTF-16 code units", () => {
    const names = ["\u20ac", "\r", "\ufb33", "1", "\u{1f600}", "\u0080", "\u00f6"];
    const object = Object.fromEntries(names.map((name) => [name, 0]));
    expect(Object.keys(JSON.parse(canonicalize(object)))).toHaveLength(names.length);
    expect(canonicalize(object)).toBe(
      '{"\\r":0,"1":0,"\u0080":0,"\u00f6":0,"\u20ac":0,"\u{1f600}":0,"\ufb33":0}',
    );
  });

  test("names that look like numbers, and names of built-in members, are ordinary names", () => {
    expect(canonicalize(JSON.parse('{"b":1,"10":2,"9":3,"__proto__":4,"constructor":5}'))).toBe(
      '{"10":2,"9":3,"__proto__":4,"b":1,"constructor":5}',
    );
  });

  test("strings keep every character and escape as few as possible", () => {
    const text = '\u0000\u0007\b\t\n\u000b\f\r\u001f"\\/\u007f\u0080\u2028\u2029\ufeff\u{10ffff}';
    expect(canonicalize(text)).toBe(
      '"\\u0000\\u0007\\b\\t\\n\\u000b\\f\\r\\u001f\\"\\\\/\u007f\u0080\u2028\u2029\ufeff\u{10ffff}"',
    );
    // The same letter, composed and decomposed, stays what it was.
    expect(canonicalize(["\u00e9", "e\u0301"])).toBe('["\u00e9","e\u0301"]');
  });

  test.each<[string, unknown]>([
    ["a lone surrogate", "\ud800"],
    ["a surrogate pair the wrong way round", "\udc00\ud800"],
    ["a lone surrogate in a name", { "\udfff": 1 }],
    ["NaN", Number.NaN],
    ["an infinity", Number.NEGATIVE_INFINITY],
    ["undefined", undefined],
    ["a member that is undefined", { a: undefined }],
    ["a hole in a list", Array.from({ length: 1 }).concat(new Array(1))],
    ["a big integer", 1n],
    ["a function", () => {}],
    ["a symbol", Symbol("s")],
    ["an instance of a class", new Date(0)],
    ["a map", new Map()],
  ])("%s has no canonical form", (_, value) => {
    expect(() => canonicalize(value)).toThrow(/canonical JSON cannot carry/);
  });

  test("nesting is bounded", () => {
    const nested = (levels: number): unknown => (levels === 0 ? 0 : [nested(levels - 1)]);
    expect(canonicalize(nested(DEPTH_MAX))).toBe(`${"[".repeat(64)}0${"]".repeat(64)}`);
    expect(() => canonicalize(nested(DEPTH_MAX + 1))).toThrow(/nesting/);
  });
});

describe("the tree (RFC 6962)", () => {
  const SIZE_MAX = 40;
  const hashes = Array.from({ length: SIZE_MAX }, (_, index) => sha256Hex(`entry ${index}`));
  const roots = Array.from({ length: SIZE_MAX + 1 }, (_, size) => rootOf(hashes.slice(0, size)));
  const root = (size: number): string => roots[size] ?? "";

  function rootOf(entries: readonly string[]): string {
    const tree = new TreeHead();
    for (const hash of entries) tree.append(hash);
    return tree.root();
  }

  /** The definition of section 2.1, word for word. */
  function definedRoot(entries: readonly string[]): Buffer {
    const sha = (...parts: Buffer[]) => createHash("sha256").update(Buffer.concat(parts)).digest();
    if (entries.length === 0) return sha();
    if (entries.length === 1) return sha(Buffer.of(0), Buffer.from(entries[0] ?? "", "hex"));
    let k = 1;
    while (k * 2 < entries.length) k *= 2;
    return sha(Buffer.of(1), definedRoot(entries.slice(0, k)), definedRoot(entries.slice(k)));
  }

  const flipped = (hash: string): string => (hash.startsWith("0") ? "1" : "0") + hash.slice(1);

  test("nodes over the eight well-known leaves give the well-known root", () => {
    const data = [
      "",
      "00",
      "10",
      "2021",
      "3031",
      "40414243",
      "5051525354555657",
      "606162636465666768696a6b6c6d6e6f",
    ];
    // Their data is not 32 bytes long, so the leaves are hashed here; ours always are.
    let row = data.map((hex) => sha256Hex(Buffer.from(`00${hex}`, "hex")));
    while (row.length > 1) {
      row = row.flatMap((left, index) =>
        index % 2 === 0 ? [nodeHash(left, row[index + 1] ?? "")] : [],
      );
    }
    expect(row).toEqual(["5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"]);
    expect(EMPTY_ROOT).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  });

  test("a leaf is the hash of a zero byte and the 32 bytes of the entry's hash", () => {
    expect(leafHash("ab".repeat(32))).toBe(sha256Hex(Buffer.from(`00${"ab".repeat(32)}`, "hex")));
  });

  test(`the root follows the definition up to ${SIZE_MAX} leaves`, () => {
    for (let size = 0; size <= SIZE_MAX; size += 1) {
      expect(root(size), `${size}`).toBe(definedRoot(hashes.slice(0, size)).toString("hex"));
    }
  });

  test("every leaf of every tree has a proof, and a changed proof fails", () => {
    for (let size = 1; size <= SIZE_MAX; size += 1) {
      for (let index = 0; index < size; index += 1) {
        const path = proveInclusion(hashes.slice(0, size), index);
        const place = { index, size, path, root: root(size) };
        const entry = hashes[index] ?? "";
        const where = `${index} of ${size}`;
        expect(isIncluded(entry, place), where).toBe(true);
        const wrong = [
          ...path.map((hash, step) => ({ ...place, path: path.with(step, flipped(hash)) })),
          ...path.map((_, step) => ({ ...place, path: path.toSpliced(step, 1) })),
          { ...place, path: [...path, root(size)] },
          { ...place, index: index + 1 },
          { ...place, index: index - 1 },
          { ...place, root: flipped(place.root) },
        ];
        expect(
          wrong.filter((changed) => isIncluded(entry, changed)),
          where,
        ).toEqual([]);
        expect(isIncluded(flipped(entry), place), where).toBe(false);
      }
    }
  });

  test("every pair of sizes has a proof, and a changed proof fails", () => {
    for (let size = 1; size <= SIZE_MAX; size += 1) {
      const newer = { size, root: root(size) };
      for (let oldSize = 1; oldSize <= size; oldSize += 1) {
        const older = { size: oldSize, root: root(oldSize) };
        const path = proveConsistency(hashes.slice(0, size), oldSize);
        const where = `${oldSize} in ${size}`;
        expect(isConsistent(older, newer, path), where).toBe(true);
        const wrong = [
          ...path.map((hash, step) => path.with(step, flipped(hash))),
          ...path.map((_, step) => path.toSpliced(step, 1)),
          [...path, root(size)],
        ];
        expect(
          wrong.filter((changed) => isConsistent(older, newer, changed)),
          where,
        ).toEqual([]);
        expect(isConsistent({ ...older, root: flipped(older.root) }, newer, path), where).toBe(
          false,
        );
        expect(isConsistent(older, { ...newer, root: flipped(newer.root) }, path), where).toBe(
          false,
        );
      }
    }
  });

  test("a copy grows on its own", () => {
    const begun = new TreeHead();
    for (let size = 0; size < SIZE_MAX; size += 1) {
      const copy = begun.copy();
      copy.append(hashes[size] ?? "");
      expect([begun.root(), copy.root()]).toEqual([root(size), root(size + 1)]);
      begun.append(hashes[size] ?? "");
    }
  });
});

describe("signed notes (C2SP)", () => {
  const SECRET = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60";
  const key = { name: "sworn", public: publicTextOf(SECRET) };
  const signer = {
    key: keyIdOf(key.public),
    public: key.public,
    sign: (bytes: Uint8Array) => sign(null, bytes, privateKeyOf(SECRET)),
  };

  test("a verifier key is read back as it was written", () => {
    const text = toVerifierKey(key);
    expect(text).toMatch(/^sworn\+[0-9a-f]{8}\+A[A-Za-z0-9+/]{43}$/);
    expect(parseVerifierKey(text)).toEqual(key);
    expect(parseVerifierKey(`${text}\n`)).toEqual(key);
  });

  test("a verifier key whose parts do not belong together is refused", () => {
    const text = toVerifierKey(key);
    for (const wrong of [
      text.replace("sworn", "sworm"),
      text.replace(/\+[0-9a-f]{8}\+/, "+00000000+"),
      text.slice(0, -1),
      "",
    ]) {
      expect(() => parseVerifierKey(wrong), wrong).toThrow(/verifier key/);
    }
  });

  test("a note that Go's note package signed opens", () => {
    const note =
      "If you think cryptography is the answer to your problem,\n" +
      "then you don't know what your problem is.\n\n" +
      "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n";
    const known = parseVerifierKey(
      "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
    );
    expect(openNote(note, known).text).toMatch(/^If you think .* is\.\n$/s);
    expect(() => openNote(note.replace("answer", "anvil"), known)).toThrow(/wrong/);
  });

  test("a note opens with cosignatures beside it, and not without its own", () => {
    const note = signNote("text\n", key.name, signer);
    const witness = `— witness.example ${Buffer.alloc(76, 1).toString("base64")}\n`;
    expect(openNote(note, key)).toEqual({ text: "text\n" });
    expect(openNote(note + witness, key)).toEqual({ text: "text\n" });
    expect(() => openNote(`text\n\n${witness}`, key)).toThrow(/not signed/);
    expect(() => openNote(note.replace("text", "test"), key)).toThrow(/wrong/);
    expect(() => openNote(`${note}something else\n`, key)).toThrow(/not a note signature/);
    expect(() => openNote(note.slice(0, -1), key)).toThrow(/not a signed note/);
  });
});

function privateKeyOf(secretHex: string) {
  const der = Buffer.concat([
    Buffer.from("302e020100300506032b657004220420", "hex"),
    Buffer.from(secretHex, "hex"),
  ]);
  return createPrivateKey({ key: der, format: "der", type: "pkcs8" });
}

function publicTextOf(secretHex: string): string {
  const publicKey = createPublicKey(privateKeyOf(secretHex));
  return publicKey.export({ format: "der", type: "spki" }).subarray(-32).toString("base64");
}

function littleEndian(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).reverse().toString("hex")}`);
}

function toBytes(value: bigint): Buffer {
  return Buffer.from(value.toString(16).padStart(64, "0"), "hex").reverse();
}
