/** Vectors for rare values: odd keys and signatures, odd numbers, odd checkpoints, odd reports. */
import { keyIdOf, sha256Hex, signNote } from "../../dist/base/index.js";
import {
  bent,
  bundle,
  changed,
  FINAL,
  KEY,
  no,
  replaced,
  respelled,
  SHORT,
  UNRECORDED,
  WORK,
  withSpareBits,
} from "./ledger-making.mjs";
import {
  beginAudit,
  claim,
  complete,
  conclude,
  endAudit,
  fail,
  intend,
  NEWLINE,
  OPENING,
  OTHER_TRACE,
  open,
  packMembers,
  propose,
  review,
  revoke,
  rotate,
  say,
  signerOf,
  start,
} from "./ledger-story.mjs";

const UNFINISHED = ["SESSION_NOT_COMPLETED", null];
const WARN = "pass-with-warnings";

// Keys and signatures.

const ORDER_L = (1n << 252n) + 27742317777372353535851937790883648493n;
const keyOf = (hex) => Buffer.from(hex, "hex").toString("base64");
const withSign = (hex) =>
  hex.slice(0, 62) + (Number.parseInt(hex.slice(62), 16) | 0x80).toString(16);
/** The little-endian y of every point of small order, of which each stands for two spellings. */
const SMALL_ORDER = [
  "01".padEnd(64, "0"),
  `ec${"ff".repeat(30)}7f`,
  "00".repeat(32),
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
];
/** y = p, p + 1, p + 2 and 2^255 - 1: not reduced. */
const NOT_REDUCED = ["ed", "ee", "ef", "ff"].map((low) => `${low}${"ff".repeat(30)}7f`);
/** y = 2 is on the curve for no x. */
const NO_POINT = keyOf("02".padEnd(64, "0"));
const NEUTRAL = keyOf("01".padEnd(64, "0"));

/** A rotation to a key that is not from the story. */
const rotateTo = (publicText, twist = {}) =>
  rotate("mara", "operator", "eli", {
    ...twist,
    body: { public: publicText, new_key: keyIdOf(publicText), ...twist.body },
  });
/** Signs nothing at all: what it gives is always the same. */
const constantSigner = (publicText, signature) => ({
  key: keyIdOf(publicText),
  public: publicText,
  sign: () => Buffer.from(signature),
});
/** R is the neutral point and S is 0. */
const ZERO_SIGNATURE = Buffer.from("01".padEnd(128, "0"), "hex");

/** The same signature with S + L in place of S, which is S again for who does not look. */
function withLargeS(signature) {
  const bytes = Buffer.from(signature, "base64");
  let s = BigInt(`0x${Buffer.from(bytes.subarray(32)).reverse().toString("hex")}`) + ORDER_L;
  for (let at = 32; at < 64; at += 1) {
    bytes[at] = Number(s & 255n);
    s >>= 8n;
  }
  return bytes.toString("base64");
}

const openedWith = (publicText) => [
  ...open(),
  {
    body: {
      agents: [...OPENING.agents, { agent: "sworn", roles: ["runtime"] }].map((one) => {
        const own = one.agent === "otto" ? publicText : signerOf(one.agent).public;
        return { ...one, key: keyIdOf(own), public: own };
      }),
    },
  },
];

// Lines.

/** Behind a sound opening, a message for each text in place of its own, and the code it leads to. */
const spellings = (code, texts) => texts.map((text) => [code, text]);
const NUMBERS = [
  ...spellings("SCHEMA_INVALID", [
    "1e+21",
    "100000000000000000000",
    "1e-7",
    "0.000001",
    "5e-324",
    "1.7976931348623157e+308",
    "9007199254740992",
    "333333333.3333333",
    "-1.5",
    "0",
  ]),
  ...spellings("HASH_MISMATCH", [
    "1e21",
    "1E+21",
    "1000000000000000000000",
    "1e+20",
    "1e-07",
    "0.0000001",
    "1e-6",
    "4.9e-324",
    "1e-400",
    "1e400",
    "9007199254740993",
    "333333333.33333329",
    "-0",
    "1.50",
    "1e2",
  ]),
  // Not JSON at all, although some readers take it.
  ...spellings("SCHEMA_INVALID", ["NaN", "-Infinity", "+1", "01", ".5", "1.", "0x10"]),
];
const STRINGS = [
  ...spellings("HASH_MISMATCH", [
    '"\\/"',
    '"\\u000A"',
    '"\\u000b"\t',
    '"\\u007f"',
    '"\\ud83d\\ude00"',
    '"\\ude00\\ud83d"',
    '{"\\ud83d":1}',
    '{"b":1,"a":2}',
    // By code points the first would come first, by UTF-16 code units it does not.
    '{"\xef\xac\xb3":1,"\xf0\x9f\x98\x80":2}',
  ]),
  ...spellings("SCHEMA_INVALID", [
    '{"\xf0\x9f\x98\x80":2,"\xef\xac\xb3":1}',
    '"\t"',
    '"\\x41"',
    "'Hello'",
    '"\xed\xa0\xbd"',
    '"\xc0\xaf"',
    '"Hello",',
    "null",
    `${"[".repeat(62)}${"]".repeat(62)}`,
  ]),
  ...spellings("HASH_MISMATCH", [`${"[".repeat(63)}${"]".repeat(63)}`]),
];
const messages = (list) => [
  open(),
  ...list.map(([, text]) => say("mara", "operator", "Hello", respelled('"Hello"', text))),
];
const placed = (list) => list.map(([code], index) => [code, index + 1]);

/** Lines that are JSON but no objects, or nothing at all, in the places of entries. */
const STRAY_LINES = [
  "[]",
  "5",
  "null",
  '"text"',
  "true",
  "{}",
  "",
  '{"sig":1}',
  // These look as if they enrolled keys.
  '{"body":{"agents":[null,5,[],{"key":1}]},"type":"session_initialized","v":1}',
  '{"body":{"agents":7},"type":"session_initialized","v":1}',
  '{"body":7,"type":"key_rotated","v":1}',
];

/** An entry with these links, whatever it is about. */
const linked = (...links) => ({ entry: { parents: links.map(([kind, seq]) => ({ kind, seq })) } });

// Checkpoints.

const textOf = (checkpoint) => checkpoint.slice(0, checkpoint.lastIndexOf("\n\n") + 1);
/** A trace of one entry, under a checkpoint whose text is changed and signed again. */
const resigned = (change) =>
  changed([open()], ({ checkpoint }, story) => ({
    checkpoint: signNote(change(textOf(checkpoint)), "sworn", story.signers.get("sworn")),
  }));
/** The same, with the signed note changed. */
const renoted = (change) =>
  changed([open()], ({ checkpoint }) => ({ checkpoint: change(checkpoint) }));
const withRoot = (text, root) => text.replace(/[A-Za-z0-9+/]{43}=/, root);
const cosigned = (name, base64 = Buffer.alloc(76, 7).toString("base64")) =>
  renoted((note) => `${note}\u2014 ${name} ${base64}\n`);
const signatureOf = (note) => Buffer.from(note.trimEnd().split(" ").at(-1), "base64");
const withSignature = (note, bytes) =>
  note.replace(signatureOf(note).toString("base64"), Buffer.from(bytes).toString("base64"));

// Reports.

const twisted = (change) => ({ report: change });
const WRONG_REPORTS = [
  (text) => text.replace('"v":1,', '"v":1,"v":1,'),
  (text) => text.replace(/"state":"[a-z]+"/, '"state":"\\ud83d"'),
  (text) => text.replace(/trace_[0-9A-Z]+/, OTHER_TRACE),
  (text) => text.replace(/"entries":(\d+)/, (_, count) => `"entries":${Number(count) - 1}`),
  (text) => text.replace(/"head":"[0-9a-f]+"/, `"head":"${UNRECORDED}"`),
  (text) => Buffer.from(text.replace(/"state":"[a-z]+"/, '"state":"\xff"'), "latin1"),
  (text) => `\ufeff${text}`,
  (text) => `${text}{}`,
];
/** One round after the other: work, and an audit that fails with something wrong in its report. */
const REPORT_ROUNDS = [
  open({ policy: { rework_max: 10 } }),
  propose(),
  review(),
  ...WRONG_REPORTS.flatMap((change, round) => [
    ...(round === 0
      ? []
      : [["mara", "operator", "rework_opened", { round, reasons: ["It failed"] }]]),
    intend(round),
    start(round),
    complete(round),
    ...(round === 0 ? [claim(1, { evidence: ["output-0"], execution_ids: ["e0"] })] : []),
    beginAudit(),
    endAudit("fail", twisted(change)),
  ]),
];
const auditsOf = (steps) =>
  steps.flatMap(([, , type], seq) => (type === "verification_run_completed" ? [[FINAL, seq]] : []));

// Packaging.

const members = ({ checkpoint, keys, lines, artifacts }) => [
  ["checkpoint", Buffer.from(checkpoint)],
  ["keys.json", Buffer.from(keys)],
  ["entries.jsonl", Buffer.concat(lines.flatMap((line) => [line, NEWLINE]))],
  ...[...artifacts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([hash, bytes]) => [`artifacts/${hash}`, bytes]),
];
const repacked = (change) => bent((_, parts) => packMembers(change(members(parts))));

/** name, what it shows, the warnings, how it is made. */
export const VALID_ODDITIES = [
  [
    "key-no-point",
    "An agent is enrolled with bytes that are no point of the curve; nobody signs with them.",
    [UNFINISHED],
    bundle([openedWith(NO_POINT), propose()]),
  ],
  [
    "claim-on-failed-execution",
    "A claim that rests on a failed execution alone.",
    [["CLAIM_ON_FAILURE", 6]],
    bundle([
      ...WORK.slice(0, 5),
      fail(1, "accept", { artifacts: [{ name: "output-1", text: "1 test, 1 failed\n" }] }),
      claim(1),
      conclude(),
      beginAudit(),
      endAudit(WARN),
    ]),
  ],
  [
    "claim-on-mixed-executions",
    "A claim that rests on a failed and a completed execution.",
    [],
    bundle([
      ...WORK.slice(0, 5),
      fail(1, "accept", { artifacts: [{ name: "output-1", text: "1 test, 1 failed\n" }] }),
      intend(2),
      start(2),
      complete(2),
      claim(1, { execution_ids: ["e1", "e2"] }),
      conclude(),
      beginAudit(),
      endAudit(),
    ]),
  ],
  [
    "audit-below-report",
    "An audit that says pass-with-warnings where its report says pass.",
    [],
    bundle([...SHORT.slice(0, 9), endAudit(WARN)]),
  ],
  [
    "report-other-order",
    "An audit whose report has its members in another order, and spaces: it is judged by what it says.",
    [],
    bundle([
      ...SHORT.slice(0, 9),
      endAudit(
        "pass",
        twisted((text) =>
          JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(text)).reverse()), null, 2),
        ),
      ),
    ]),
  ],
  [
    "note-extended",
    "A checkpoint with extensions, one of them a blank line.",
    [UNFINISHED],
    resigned((text) => `${text}extension\n\nand more\n`),
  ],
  [
    "note-shortest-cosignature",
    "A cosignature of 5 bytes, by a name with a byte order mark in it, which is no space.",
    [UNFINISHED],
    cosigned("wit\ufeffness", Buffer.alloc(5, 7).toString("base64")),
  ],
  [
    "note-other-key-of-that-name",
    "A signature line of the name sworn under another key, which is a cosignature.",
    [UNFINISHED],
    cosigned("sworn"),
  ],
  [
    "clock-of-refused-entry",
    "Logical time is compared with the last accepted entry, and must be above it.",
    [["CLOCK_WENT_BACK", 2], UNFINISHED],
    bundle([
      open(),
      say("mara", "operator", "Hello", { entry: { hlc: "0f00000000000000" } }),
      say("mara", "operator", "Hello", { entry: { hlc: "0f00000000000000" } }),
      say("mara", "operator", "Hello", { entry: { hlc: "0f00000000000001" } }),
    ]),
  ],
];

/**
 * name, what it shows, code and place of the first failure, last trusted entry, how it is made, all
 * failures, all warnings.
 */
export const INVALID_ODDITIES = [
  [
    "signature-s-too-large",
    "The right signature with S + L in place of S.",
    ["SIG_INVALID", 1, 0],
    bundle([open(), say("mara", "operator", "Hello", { resign: withLargeS })]),
  ],
  [
    "signature-under-no-point",
    "An entry under a key that is no point of the curve.",
    ["SIG_INVALID", 1, 0],
    bundle([
      openedWith(NO_POINT),
      say("otto", "auditor", "Hello", { as: constantSigner(NO_POINT, ZERO_SIGNATURE) }),
    ]),
  ],
  [
    "signature-under-small-order",
    "A key of small order is refused and stays unknown, so that its one signature for all is none.",
    [KEY, 0, -1],
    bundle([
      [...openedWith(NEUTRAL).slice(0, 4), { ...openedWith(NEUTRAL)[4], refused: true }],
      say("otto", "auditor", "Hello", {
        as: constantSigner(NEUTRAL, ZERO_SIGNATURE),
        refused: true,
      }),
    ]),
    [
      [KEY, 0],
      ["KEY_UNKNOWN", 1],
    ],
  ],
  [
    "keys-refused",
    "Rotations to every key of small order and to keys that are not reduced, each in both signs.",
    [KEY, 1, 0],
    bundle([
      open(),
      ...[...SMALL_ORDER, ...NOT_REDUCED]
        .flatMap((hex) => [hex, withSign(hex)])
        .map((hex) => no(KEY, rotateTo(keyOf(hex)))),
    ]),
    Array.from({ length: 18 }, (_, index) => [KEY, index + 1]),
    [UNFINISHED],
  ],
  [
    "key-enrolled-later",
    "An entry under a key that only a later entry enrols.",
    ["KEY_UNKNOWN", 1, 0],
    bundle([
      open(),
      say("eli", "executor", "Hello", { as: signerOf("eli 2"), refused: true }),
      say("eli", "executor", "Hello", {
        as: signerOf("eli 2"),
        refused: true,
        resign: (_, bytes) => signerOf("ada").sign(bytes).toString("base64"),
      }),
      rotate("eli", "executor", "eli"),
    ]),
    [
      ["KEY_UNKNOWN", 1],
      ["KEY_UNKNOWN", 2],
    ],
  ],
  [
    "key-of-unknown-version",
    "A rotation in an entry of version 2 enrols no key.",
    ["SCHEMA_INVALID", 1, 0],
    bundle([
      open(),
      rotate("eli", "executor", "eli", { entry: { v: 2 } }),
      say("eli", "executor", "Hello"),
    ]),
    [
      ["SCHEMA_INVALID", 1],
      ["KEY_UNKNOWN", 2],
    ],
  ],
  [
    "key-under-wrong-id",
    "A key that is enrolled under an id which is not its own is not known by that id.",
    [KEY, 1, 0],
    bundle([
      open(),
      no(KEY, rotate("eli", "executor", "eli", { body: { new_key: "0".repeat(32) } })),
      no(
        KEY,
        say("eli", "executor", "Hello", { as: { ...signerOf("eli 2"), key: "0".repeat(32) } }),
      ),
    ]),
    [
      [KEY, 1],
      ["KEY_UNKNOWN", 2],
    ],
  ],
  [
    "key-of-refused-rotation",
    "A key that a refused rotation enrols is known, but nobody's.",
    ["ROLE_POLICY_VIOLATION", 1, 0],
    bundle([
      open(),
      no("ROLE_POLICY_VIOLATION", rotate("eli", "executor", "cleo")),
      no(KEY, say("cleo", "critic", "Hello", { as: signerOf("cleo 2") })),
    ]),
    [
      ["ROLE_POLICY_VIOLATION", 1],
      [KEY, 2],
    ],
  ],
  [
    "numbers",
    "Numbers as RFC 8785 prints them, which no field has, then in other spellings, then what is no number.",
    ["SCHEMA_INVALID", 1, 0],
    bundle(messages(NUMBERS)),
    placed(NUMBERS),
  ],
  [
    "strings",
    "Strings, objects and lists in odd spellings, among them the deepest that is allowed.",
    ["HASH_MISMATCH", 1, 0],
    bundle(messages(STRINGS)),
    placed(STRINGS),
  ],
  [
    "very-deep",
    "A list nested 40,000 deep: it is not looked into, and its wrong number is not noticed.",
    ["HASH_MISMATCH", 1, 0],
    bundle([
      open(),
      say("mara", "operator", "Hello", {
        ...respelled('"Hello"', `${"[".repeat(40_000)}${"]".repeat(40_000)}`),
        entry: { seq: 9 },
      }),
    ]),
    [["HASH_MISMATCH", 1]],
  ],
  [
    "too-deep",
    "A list nested 65 deep, in an entry that names another trace: it is not looked into either.",
    ["HASH_MISMATCH", 1, 0],
    bundle([
      open(),
      say("mara", "operator", "Hello", {
        ...respelled('"Hello"', `${"[".repeat(63)}${"]".repeat(63)}`),
        entry: { trace: OTHER_TRACE },
      }),
    ]),
    [["HASH_MISMATCH", 1]],
  ],
  [
    "stray-lines",
    "Lines that are a list, a number, nothing and the like: only objects and lists are asked for their place.",
    ["CHAIN_BREAK", 1, 0],
    changed([open()], ({ lines }) => ({
      lines: [...lines, ...STRAY_LINES.map((text) => Buffer.from(text))],
    })),
    [
      ["CHAIN_BREAK", 1],
      ["CHAIN_BREAK", 1],
      ["CHAIN_BREAK", 1],
      ["SIG_MISSING", 1],
      ["TAIL_UNSIGNED", 1],
      ["SIG_MISSING", 2],
      ["SIG_MISSING", 3],
      ["SIG_MISSING", 4],
      ["SIG_MISSING", 5],
      ["CHAIN_BREAK", 6],
      ["CHAIN_BREAK", 6],
      ["CHAIN_BREAK", 6],
      ["SIG_MISSING", 6],
      ["SCHEMA_INVALID", 7],
      ["SCHEMA_INVALID", 8],
      ["CHAIN_BREAK", 8],
      ["CHAIN_BREAK", 8],
      ["CHAIN_BREAK", 8],
      ...[9, 10, 11].flatMap((seq) => [
        ["CHAIN_BREAK", seq],
        ["CHAIN_BREAK", seq],
        ["CHAIN_BREAK", seq],
        ["SIG_MISSING", seq],
      ]),
    ],
  ],
  [
    "tool-named-proto",
    "A policy for a tool called __proto__, which has the form of a tool name.",
    ["SCHEMA_INVALID", 0, -1],
    bundle([
      [
        ...open(),
        {
          respell: (text) =>
            replaced(text, '"rework_max":2}', '"rework_max":2,"tool_risk":{"__proto__":"high"}}'),
        },
      ],
    ]),
    [["SCHEMA_INVALID", 0]],
  ],
  [
    "first-line-empty",
    "A newline before the first entry: it is a line without anything in it.",
    ["SCHEMA_INVALID", 0, -1],
    changed([open()], ({ lines }) => ({ lines: [Buffer.alloc(0), ...lines] })),
    [
      ["SCHEMA_INVALID", 0],
      ["CHAIN_BREAK", 1],
      ["CHAIN_BREAK", 1],
      ["TAIL_UNSIGNED", 1],
    ],
  ],
  [
    "place-all-wrong",
    "An entry with another trace, another number and another predecessor: three breaks of the chain.",
    ["CHAIN_BREAK", 1, 0],
    bundle([
      open(),
      say("mara", "operator", "Hello", {
        entry: { trace: OTHER_TRACE, seq: 5, prev: UNRECORDED },
      }),
      propose(),
    ]),
    [
      ["CHAIN_BREAK", 1],
      ["CHAIN_BREAK", 1],
      ["CHAIN_BREAK", 1],
    ],
  ],
  [
    "rules-after-a-break",
    "Behind a break of the chain no rule is judged, keys.json is not compared and nothing is uncited; artifacts are still read.",
    ["CHAIN_BREAK", 1, 0],
    changed(
      [
        open(),
        say("mara", "operator", "Hello", { entry: { prev: UNRECORDED } }),
        no("STATE_VIOLATION", claim(1, { evidence: [UNRECORDED] })),
        say("mara", "operator", "See", { artifacts: [{ text: "A file\n" }] }),
        rotate("sworn", "runtime", "sworn"),
      ],
      ({ artifacts, keys }) => {
        artifacts.delete(sha256Hex("A file\n"));
        const other = Buffer.from("Another file\n");
        return {
          artifacts: artifacts.set(sha256Hex(other), other),
          keys: replaced(keys, "active", "revoked"),
        };
      },
    ),
    [
      ["CHAIN_BREAK", 1],
      ["ARTIFACT_MISSING", 3],
    ],
  ],
  [
    "runtime-key-after-a-break",
    "In a broken record nothing tells a forged hand-over of the runtime's key from a real one: the last one counts.",
    ["ROLE_POLICY_VIOLATION", 1, 0],
    bundle([
      open(),
      no("ROLE_POLICY_VIOLATION", rotate("eli", "executor", "sworn")),
      say("mara", "operator", "Hello", { entry: { prev: UNRECORDED } }),
    ]),
    [
      ["ROLE_POLICY_VIOLATION", 1],
      ["CHAIN_BREAK", 2],
      ["CHECKPOINT_INVALID", null],
    ],
  ],
  [
    "links-odd",
    "Links of another kind, one too many, none, and in another order. The entries have their effect all the same.",
    ["ORDER_VIOLATION", 2, 1],
    bundle([
      open(),
      propose(),
      [...review(), linked(["revises", 1])],
      say("mara", "operator", "Hello", linked(["answers", 0])),
      intend(1, {}, linked()),
      start(1),
      complete(1),
      intend(2),
      start(2),
      complete(2),
      claim(1, { execution_ids: ["e1", "e2"] }, linked(["rests-on", 8], ["rests-on", 5])),
      conclude(),
    ]),
    [2, 3, 4, 10].map((seq) => ["ORDER_VIOLATION", seq]),
  ],
  [
    "audit-and-report-of-another-head",
    "An audit and its report agree on a head that is not the one before it.",
    [FINAL, 9, 8],
    bundle([
      ...SHORT.slice(0, 9),
      endAudit("pass", {
        body: { head: UNRECORDED },
        ...twisted((text) => text.replace(/"head":"[0-9a-f]+"/, `"head":"${UNRECORDED}"`)),
      }),
    ]),
    [[FINAL, 9]],
  ],
  [
    "compromised-from-itself",
    "A key is compromised from the entry on that revokes it, under which it signed itself.",
    ["KEY_COMPROMISED", 1, 0],
    bundle([open(), revoke("mara", { compromised_from: 1 })]),
  ],
  [
    "reports-wrong",
    "Stored reports: a name twice, half a character, another trace, size or head, no UTF-8, a byte order mark, something behind it.",
    [FINAL, 8, 7],
    bundle(REPORT_ROUNDS),
    auditsOf(REPORT_ROUNDS),
  ],
  [
    "report-missing",
    "The stored report of an audit is not in the bundle; what it says is then not asked.",
    ["ARTIFACT_MISSING", 9, 8],
    changed(SHORT, ({ lines, artifacts }) => {
      artifacts.delete(JSON.parse(lines[9]).body.report);
      return { artifacts };
    }),
    [["ARTIFACT_MISSING", 9]],
  ],
  ...[
    ["cosignature-short", "A cosignature of 4 bytes.", cosigned("witness", "BwcHBw==")],
    [
      "cosignature-spare-bits",
      "A cosignature in a second base64 spelling.",
      cosigned("witness", withSpareBits(Buffer.alloc(76, 7).toString("base64"))),
    ],
    ["cosigner-with-plus", "A cosigner with a plus in its name.", cosigned("wit+ness")],
    [
      "cosigner-with-space",
      "A cosigner with U+0085 in its name, which is a space.",
      cosigned("wit\u0085ness"),
    ],
    [
      "note-other-name",
      "The runtime's key under another name is a cosignature, and there is no other.",
      renoted((note) => note.replace("\u2014 sworn ", "\u2014 other ")),
    ],
    [
      "note-signature-longer",
      "The runtime's signature with a zero byte behind it.",
      renoted((note) => withSignature(note, [...signatureOf(note), 0])),
    ],
    [
      "note-signature-shorter",
      "The runtime's signature without its last byte.",
      renoted((note) => withSignature(note, signatureOf(note).subarray(0, -1))),
    ],
    [
      "note-without-newline",
      "A checkpoint that does not end with a newline.",
      renoted((note) => note.trimEnd()),
    ],
    [
      "note-other-last-character",
      "A checkpoint with a letter in the place of its last newline.",
      renoted((note) => `${note.slice(0, -1)}x`),
    ],
    [
      "note-with-carriage-return",
      "A checkpoint whose signature line ends with a carriage return.",
      renoted((note) => `${note.trimEnd()}\r\n`),
    ],
    [
      "note-root-missing",
      "A signed checkpoint over one entry more, without a root.",
      resigned((text) => withRoot(text, "").replace("\n1\n", "\n2\n")),
    ],
    [
      "note-root-short",
      "A signed checkpoint over one entry more, with a root of 31 bytes.",
      resigned((text) =>
        withRoot(text, Buffer.alloc(31, 7).toString("base64")).replace("\n1\n", "\n2\n"),
      ),
    ],
    [
      "note-root-spare-bits",
      "A signed checkpoint whose root is in a second base64 spelling.",
      resigned((text) => withRoot(text, withSpareBits(text.split("\n")[2]))),
    ],
    [
      "note-size-too-large",
      "A signed checkpoint over 2^53 entries.",
      resigned((text) => text.replace("\n1\n", "\n9007199254740992\n")),
    ],
    [
      "note-size-negative",
      "A signed checkpoint over -1 entries.",
      resigned((text) => text.replace("\n1\n", "\n-1\n")),
    ],
    [
      "note-without-root-line",
      "A signed checkpoint of two lines.",
      resigned((text) => text.split("\n").slice(0, 2).join("\n").concat("\n")),
    ],
    [
      "note-other-origin",
      "A signed checkpoint with another word before the trace.",
      resigned((text) => text.replace("sworn.trace", "sworn.tracE")),
    ],
  ].map(([name, shows, make]) => [
    name,
    shows,
    ["CHECKPOINT_INVALID", null, 0],
    make,
    [["CHECKPOINT_INVALID", null]],
  ]),
  [
    "note-size-largest",
    "A signed checkpoint over 2^53 - 1 entries.",
    ["TAIL_MISSING", 1, 0],
    resigned((text) => text.replace("\n1\n", "\n9007199254740991\n")),
  ],
  [
    "note-size-zero",
    "A signed checkpoint over no entries.",
    ["TAIL_UNSIGNED", 0, -1],
    resigned((text) => text.replace("\n1\n", "\n0\n")),
  ],
  ...[
    [
      "artifact-badly-named",
      "An artifact whose name is no hash.",
      repacked((list) => [...list, ["artifacts/readme", Buffer.from("x")]]),
    ],
    [
      "artifact-twice",
      "An artifact that stands there twice.",
      repacked((list) => [...list, list.at(-1)]),
    ],
    [
      "fourth-member",
      "A member that is no artifact behind the entries.",
      repacked((list) => list.toSpliced(3, 0, ["artifacts.txt", Buffer.from("x")])),
    ],
    [
      "entries-empty",
      "A member for entries that has none.",
      repacked((list) => list.with(2, ["entries.jsonl", Buffer.alloc(0)])),
    ],
    [
      "checkpoint-not-utf8",
      "A checkpoint with a byte that is not UTF-8.",
      repacked((list) =>
        list.with(0, ["checkpoint", Buffer.concat([list[0][1], Buffer.from([255])])]),
      ),
    ],
    ["end-cut", "A single block of zeros at the end.", bent((tar) => tar.subarray(0, -512))],
    [
      "size-beyond-end",
      "A member that claims more bytes than the file has.",
      bent((tar) => tar.subarray(0, 1024)),
    ],
    ["nothing", "A file of no bytes.", bent(() => Buffer.alloc(0))],
  ].map(([name, shows, make]) => [
    name,
    shows,
    ["BUNDLE_MALFORMED", null, -1],
    make,
    [["BUNDLE_MALFORMED", null]],
  ]),
];
