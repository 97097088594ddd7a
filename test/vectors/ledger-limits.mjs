/** Vectors at the limits of sizes: what is just allowed, and what is one too many. */
import { signNote } from "../../dist/base/index.js";
import { bundle, changed, FINAL, replaced, SHORT } from "./ledger-making.mjs";
import { endAudit, open, propose, say } from "./ledger-story.mjs";

const LINE_BYTES_MAX = 1_048_576;
const SMALL_MEMBER_BYTES_MAX = 1_048_576;
const REPORT_BYTES_MAX = 1_048_576;
const NOTE_UNITS_MAX = 65_536;
const TEXT_MAX = 65_536;
const UNFINISHED = ["SESSION_NOT_COMPLETED", null];

/** A decision, as long as it takes to give the story's next line a number of bytes. */
const decision = (lineBytes, twist = {}) => {
  const ofLength = (count) => [
    "ada",
    "planner",
    "decision_recorded",
    {
      decision_id: "d1",
      context: "Which",
      options: Array.from({ length: Math.ceil(count / TEXT_MAX) }, (_, index) =>
        "x".repeat(Math.min(TEXT_MAX, count - index * TEXT_MAX)),
      ),
      choice: "This",
    },
    twist,
  ];
  return async (story) => {
    // Fewer than 2,000 bytes of such a line are no option.
    const options = Math.ceil((lineBytes - 2_000) / TEXT_MAX);
    const bare = await story.bytesOf(ofLength(options * TEXT_MAX));
    return ofLength(lineBytes - (bare - options * TEXT_MAX));
  };
};

const options = (count) => [
  "ada",
  "planner",
  "decision_recorded",
  { decision_id: "d1", context: "c", options: ["a"], choice: "a" },
  { body: { options: Array.from({ length: count }, () => "a") } },
];

const longNote = (units) =>
  changed([open()], ({ checkpoint }, story) => {
    const [text] = checkpoint.split("\n\n");
    const signed = (filling) =>
      signNote(`${text}\n\u{1f600} \u20ac${filling}\n`, "sworn", story.signers.get("sworn"));
    return { checkpoint: signed("x".repeat(units - signed("").length)) };
  });

/** A broken entry, and a member of a given size: only what comes first is reported. */
const largeMember = (member, bytes) =>
  changed(SHORT, (parts) => ({
    lines: parts.lines.with(6, Buffer.from(replaced(parts.lines[6].toString(), "sixth", "ninth"))),
    [member]: parts[member].padEnd(bytes, "x"),
  }));

const longReport = (bytes) =>
  bundle([...SHORT.slice(0, 9), endAudit("pass", { report: (text) => text.padStart(bytes, " ") })]);

const message = (text, twist) => bundle([open(), say("mara", "operator", text, twist), propose()]);

/** name, what it shows, the warnings, how it is made. */
export const VALID_LIMITS = [
  [
    "line-longest",
    "An entry of 1,048,576 bytes.",
    [UNFINISHED],
    bundle([open(), decision(LINE_BYTES_MAX)]),
  ],
  [
    "text-longest",
    "A text of 65,536 characters, one of them beyond 16 bits.",
    [UNFINISHED],
    message(`${"x".repeat(TEXT_MAX - 1)}\u{1f600}`),
  ],
  [
    "list-longest",
    "A decision between 100 options, each of one letter.",
    [UNFINISHED],
    bundle([open(), options(100)]),
  ],
  [
    "note-longest",
    "A checkpoint of 65,536 UTF-16 code units, with an extension that has characters of more bytes.",
    [UNFINISHED],
    longNote(NOTE_UNITS_MAX),
  ],
  [
    "report-longest",
    "An audit whose stored report has 1,048,576 bytes, most of them spaces.",
    [],
    longReport(REPORT_BYTES_MAX),
  ],
];

/** name, what it shows, code and place of the first failure, last trusted entry, how, all failures. */
export const INVALID_LIMITS = [
  [
    "line-too-long",
    "An entry of 1,048,577 bytes, sound but for that.",
    ["SCHEMA_INVALID", 1, 0],
    bundle([open(), decision(LINE_BYTES_MAX + 1), propose()]),
    [["SCHEMA_INVALID", 1]],
  ],
  [
    "line-too-long-misplaced",
    "An entry of 1,048,577 bytes with another number, which is not looked at.",
    ["SCHEMA_INVALID", 1, 0],
    bundle([open(), decision(LINE_BYTES_MAX + 1, { entry: { seq: 7 } }), propose()]),
    [["SCHEMA_INVALID", 1]],
  ],
  [
    "line-far-too-long",
    "A line of 3 MiB is one line, whose hash counts and which is not looked into.",
    ["SCHEMA_INVALID", 1, 0],
    bundle([open(), decision(3 * LINE_BYTES_MAX, { entry: { seq: 7 } }), propose()]),
    [["SCHEMA_INVALID", 1]],
  ],
  [
    "text-one-too-long",
    "A text of 65,537 characters.",
    ["SCHEMA_INVALID", 1, 0],
    message("Hello", { body: { text: "x".repeat(TEXT_MAX + 1) } }),
  ],
  [
    "list-too-long",
    "A decision between 101 options.",
    ["SCHEMA_INVALID", 1, 0],
    bundle([open(), options(101)]),
  ],
  [
    "note-too-long",
    "A checkpoint of 65,537 UTF-16 code units.",
    ["CHECKPOINT_INVALID", null, 0],
    longNote(NOTE_UNITS_MAX + 1),
  ],
  [
    "keys-at-limit",
    "A list of keys of 1,048,576 bytes, which is wrong, behind a broken entry, where it is not compared.",
    ["SIG_INVALID", 6, 5],
    largeMember("keys", SMALL_MEMBER_BYTES_MAX),
    [
      ["SIG_INVALID", 6],
      ["CHAIN_BREAK", 7],
      ["CHECKPOINT_INVALID", null],
    ],
  ],
  [
    "keys-too-long",
    "A list of keys of 1,048,577 bytes; nothing else is looked at.",
    ["BUNDLE_MALFORMED", null, -1],
    largeMember("keys", SMALL_MEMBER_BYTES_MAX + 1),
    [["BUNDLE_MALFORMED", null]],
  ],
  [
    "checkpoint-too-long",
    "A checkpoint of 1,048,577 bytes; nothing else is looked at.",
    ["BUNDLE_MALFORMED", null, -1],
    largeMember("checkpoint", SMALL_MEMBER_BYTES_MAX + 1),
    [["BUNDLE_MALFORMED", null]],
  ],
  [
    "report-too-long",
    "An audit whose stored report has 1,048,577 bytes.",
    [FINAL, 9, 8],
    longReport(REPORT_BYTES_MAX + 1),
  ],
];
