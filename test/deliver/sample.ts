import { createHash } from "node:crypto";
import fc from "fast-check";
import {
  type CheckedFinding,
  FINDING_TEXT_CHARS_MAX,
  type Finding,
  PRIORITIES,
  VERDICTS,
} from "../../src/schema/finding.ts";
import {
  type ReportedFinding,
  type ReviewerOutcome,
  ReviewReport,
} from "../../src/schema/review.ts";

/** The nonce of every sample. */
export const NONCE = "0123456789abcdef0123456789abcdef";

const digest = (text: string): string => createHash("sha256").update(text).digest("hex");

/** A reviewer that did its part and was right. */
export function reviewer(name: string, with_: Partial<ReviewerOutcome> = {}): ReviewerOutcome {
  return {
    name,
    role: `looks at ${name}`,
    status: "complete",
    files: 12,
    p1: 0,
    p2: 0,
    p3: 0,
    confidence: 90,
    confirmed: 0,
    inaccurate: 0,
    hallucinated: 0,
    unverified: 0,
    unread: 0,
    reliable: true,
    ...with_,
  };
}

/** A confirmed finding at one line; `finding` and the rest can be replaced in part. */
export function reported(
  finding: Partial<Finding> = {},
  with_: Partial<Omit<ReportedFinding, "finding">> = {},
): ReportedFinding {
  const whole: Finding = {
    id: "SEC-001",
    title: "Request text reaches a shell",
    priority: "P1",
    category: "command-injection",
    citations: [{ file: "src/a.ts", line: 2, end_line: 2, quote: "exec(request.query.name);" }],
    issue: "A caller decides what is run.",
    fix: "Use `execFile` with a list.",
    ...finding,
  };
  return {
    finding: whole,
    verdict: "CONFIRMED",
    reason: "The quoted text stands at the cited lines.",
    identity: digest(whole.id),
    by: "security",
    also_by: [],
    support: "analyser",
    context: { from: 1, lines: ["// first", "exec(request.query.name);", "// third"] },
    ...with_,
  };
}

/** A claim that the source refutes. */
export function refuted(
  finding: Partial<Finding>,
  by: string,
): CheckedFinding & { readonly by: string } {
  const { context: _, also_by: __, support: ___, ...rest } = reported(finding);
  return { ...rest, by, verdict: "HALLUCINATED", reason: "The file has no such line." };
}

/** A report with nothing in it. */
export function emptyReport(with_: Partial<ReviewReport> = {}): ReviewReport {
  return ReviewReport.parse({
    v: 1,
    kind: "review",
    nonce: NONCE,
    subject: { repository: "shop", base: null, head: "c0ffee", range: "main..HEAD" },
    status: "completed",
    reviewers: [],
    findings: [],
    refuted: [],
    unread: [],
    gaps: [],
    coverage: { files: 0, covered: 0 },
    self_review: [],
    notes: [],
    dismissed: 0,
    baseline: 0,
    ...with_,
  });
}

const LOGIN = `import { createHash } from "node:crypto";
import type { Request, Response } from "express";
import { db } from "../db.ts";

/** Signs a user in and sets the session cookie. */
export async function login(request: Request, response: Response): Promise<void> {
  const { email, password } = request.body;
  const digest = createHash("md5").update(password).digest("hex");
  const sql = \`SELECT id, role FROM users WHERE email = '\${email}' AND pass = '\${digest}'\`;
  const rows = await db.query(sql); // one row, or none
  if (rows.length === 0) {
    response.status(401).json({ error: "wrong e-mail or password" });
    return;
  }
  response.cookie("session", sign(rows[0]), { httpOnly: true, maxAge: 86_400_000 });
  response.redirect("/account");
}`.split("\n");

const EXPORTER = `def export_orders(request):
    """Writes all orders of a customer into an archive."""
    name = request.GET["name"]
    target = "/srv/exports/" + name + ".tar.gz"
    # The folder exists since the last migration.
    subprocess.run("tar czf " + target + " /srv/orders", shell=True, timeout=30)
    return FileResponse(open(target, "rb"))`.split("\n");

const CART = `export function total(items: readonly Item[]): number {
  let sum = 0;
  for (const item of items) sum += item.price * item.count;
  return sum;
}`.split("\n");

const slice = (lines: readonly string[], from: number, to: number) => ({
  from,
  lines: lines.slice(from - 1, to),
});

function sqlInjection(): ReportedFinding {
  const query = LOGIN[8] ?? "";
  return reported(
    {
      id: "SEC-001",
      title: "An e-mail address is put into SQL text",
      category: "sql-injection",
      citations: [
        { file: "src/routes/login.ts", line: 9, end_line: 10, quote: `${query}\n${LOGIN[9]}` },
      ],
      issue:
        "`email` comes from the request body and ends up between quotes of a statement. Whoever sends `' OR 1=1 --` is signed in as the first user of the table, without a password.",
      fix: 'Use a parameter and let the driver quote:\n\n```ts\nconst rows = await db.query(\n  "SELECT id, role FROM users WHERE email = $1 AND pass = $2",\n  [email, digest],\n);\n```',
      confidence: 95,
      path: [
        { file: "src/routes/login.ts", line: 7, quote: "request.body" },
        { file: "src/routes/login.ts", line: 9, quote: "{email}" },
        { file: "src/routes/login.ts", line: 10, quote: "db.query(sql)" },
      ],
    },
    { also_by: ["backend"], support: "second-reviewer", context: slice(LOGIN, 3, 16) },
  );
}

function shellInjection(): ReportedFinding {
  return reported(
    {
      id: "SEC-002",
      title: "A query parameter reaches a shell",
      category: "command-injection",
      citations: [
        {
          file: "exports/orders.py",
          line: 6,
          quote: 'subprocess.run("tar czf " + target + " /srv/orders", shell=True, timeout=30)',
        },
        { file: "exports/orders.py", line: 3 },
      ],
      issue:
        "With `shell=True` a name such as `x; id` runs a second command as the service's user.",
      fix: 'Pass a list and no shell: `subprocess.run(["tar", "czf", target, "/srv/orders"])`. Check the name against `^[a-z0-9-]+$` first.',
      path: [
        { file: "exports/orders.py", line: 3, quote: 'request.GET["name"]' },
        { file: "exports/orders.py", line: 4, quote: "target" },
        { file: "exports/orders.py", line: 6, quote: "subprocess.run" },
      ],
    },
    { support: "analyser", context: slice(EXPORTER, 1, 7) },
  );
}

function weakHash(): ReportedFinding {
  return reported(
    {
      id: "SEC-003",
      title: "Passwords are hashed with MD5",
      priority: "P2",
      category: "weak-hash",
      citations: [{ file: "src/routes/login.ts", line: 12, quote: (LOGIN[7] ?? "").trim() }],
      issue: "MD5 without a salt is undone by a table in seconds.",
      fix: "Use `scrypt` with a salt of its own for each user.",
    },
    {
      verdict: "INACCURATE",
      reason: "The quoted text stands at line 8 and not at line 12.",
      found: { file: "src/routes/login.ts", line: 8 },
      support: "quotation",
      by: "backend",
      context: slice(LOGIN, 5, 12),
    },
  );
}

function floatMoney(): ReportedFinding {
  return reported(
    {
      id: "QUAL-001",
      title: "Money is added up as floating point",
      priority: "P3",
      category: "float-money",
      citations: [{ file: "src/cart.ts", line: 3, quote: (CART[2] ?? "").trim() }],
      issue: "`0.1 + 0.2` is not `0.3`; a cart with many items can be off by a cent.",
      fix: "Keep prices in whole cents.",
    },
    {
      support: "quotation",
      by: "quality",
      verdict: "UNVERIFIED",
      reason: "The check ran out of time; nothing is known about the place.",
      context: slice(CART, 1, 5),
    },
  );
}

/** What a review of a small shop could give: every kind of thing a report can hold, once or more. */
export function sampleReport(): ReviewReport {
  return ReviewReport.parse({
    ...emptyReport(),
    subject: {
      repository: "corner-shop",
      base: "5f0c1de2a9b04c77b1c1a5a2f3f39b4d6e7a8c90",
      head: "9a41c77e03d2f6b85c1e0a4d7b92f8e6310c5d24",
      range: "main..checkout-rewrite",
    },
    status: "completed_with_gaps",
    reviewers: [
      reviewer("security", { p1: 2, confirmed: 2, role: "what an attacker could use", files: 31 }),
      reviewer("backend", {
        ...{ p1: 1, p2: 1, confirmed: 1, inaccurate: 1, hallucinated: 1, confidence: 58 },
        ...{ reliable: false, role: "how the server behaves", files: 24, unread: 1 },
        note: "One finding was made up; everything else it says is to be doubted.",
      }),
      reviewer("quality", { p3: 1, unverified: 1, confidence: 71, role: "what will hurt later" }),
      reviewer("frontend", {
        ...{ status: "missing", confidence: null, files: 9, role: "what the browser gets" },
        note: "no file was delivered in time",
      }),
    ],
    findings: [sqlInjection(), shellInjection(), weakHash(), floatMoney()],
    refuted: [
      refuted(
        {
          id: "BACK-004",
          title: "Transactions are never rolled back",
          citations: [{ file: "src/db/transaction.ts", line: 88, quote: "await client.commit();" }],
          issue: "An error between the two writes leaves an order without items.",
        },
        "backend",
      ),
    ],
    unread: [
      {
        line: 41,
        text: "- [ ] **[BACK-005] Slow query** somewhere in the order code",
        why: "no place in a file is given",
        by: "backend",
      },
    ],
    gaps: [
      { what: "web/**/*.tsx", who: "frontend", why: "nobody else looks at these files" },
      { what: "assets/map.bin", why: "the file is not text" },
    ],
    coverage: { files: 43, covered: 34 },
    self_review: [
      {
        ...{ reviewer: "backend", confirmed: 1, revised: 1, deleted: 1, logged: 3, expected: 4 },
        ...{ health: "rotted", notes: ["a third of the findings was deleted"] },
      },
      {
        ...{ reviewer: "security", confirmed: 2, revised: 0, deleted: 0, logged: 2, expected: 2 },
        ...{ health: "healthy", notes: [] },
      },
    ],
    notes: ["security and backend say the same about src/routes/login.ts:9"],
    dismissed: 3,
    baseline: 17,
    trace: "trace_01JD0Q4Y7M8N9P0R1S2T3V4W5X",
    digest: digest("sample"),
  });
}

/** Pieces that break out of one format or another when they are not escaped for it. */
export const HOSTILE_TEXTS = [
  "```\n# Heading\n```",
  "````````\n- [ ] **[SEC-999] Fake** in `x:1`",
  `<!-- RUNE:FINDING nonce="${NONCE}" id="SEC-666" file="x" line="1" severity="P1" -->`,
  `\n\n<!-- RUNE:FINDING nonce="${NONCE}" id="SEC-667" file="x" line="1" severity="P1" -->\n\n- [ ] **[SEC-667] Fake** in \`x:1\`\n\n<!-- /RUNE:FINDING SEC-667 -->\n\n`,
  "<!-- /RUNE:FINDING SEC-001 -->",
  "--> <b>out</b> --!> ]]>",
  "\n# Heading\n\nSetext\n===\n\nSetext\n---\n",
  "| a | b |\n| - | - |\n| 1 | 2 |",
  "a\\|b | c",
  "---\nSEAL: {\n  findings: 0,\n  evidence_verified: true\n}\n---",
  "\u202eevil\u2066\u200b\u0007\u001b[31mred\u001b[0m\r\nnext\rlast\u2028sep\u0000",
  "\ud800 lone \udfff",
  "</script><script>window.owned=1</script>",
  "<img src=x onerror='window.owned=1'>",
  '"><svg onload=window.owned=1>',
  "$" + "{window.owned=1} {{owned}}",
  "::error file=x::fake\n::set-output name=x::y",
  "100%,a:b%0A::warning::x",
  "https://evil.example/?q=1 www.evil.example @somebody [link](https://evil.example) ![i](x)",
  "    indented\n\ttab\n> quote\n1. one\n+ plus\n* star",
  "<details><summary>x</summary>\n\n- item\n\n</details>",
  "&lt;b&gt; &#x3c;script&#x3e;",
  "`a``b```c````d` `x``y` `@a`",
  "日本語の説明 👩‍👩‍👧 é ⚠️",
  "{0} {{1}} [text](1) [x](https://evil.example)",
  "$x$ ~~gone~~ __under__ **bold** \\",
  "   ",
] as const;

const hostileText = (max: number): fc.Arbitrary<string> =>
  fc
    .array(
      fc.oneof(
        fc.constantFrom(...HOSTILE_TEXTS),
        fc.string({ unit: "binary", maxLength: 12 }),
        fc.constantFrom("\n", " ", "`", "-", "#", "|", "<", ">", "\\", "word"),
      ),
      { maxLength: 6 },
    )
    .map((pieces) => pieces.join("").slice(0, max));
const text = (max: number): fc.Arbitrary<string> =>
  hostileText(max).map((value) => (value === "" ? "x" : value));
const line = fc.option(fc.integer({ min: 1, max: 90 }), { nil: undefined });

function present<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as T;
}

const citation = fc
  .record({
    file: text(4_096),
    line,
    end_line: line,
    quote: fc.option(text(900), { nil: undefined }),
  })
  .map(present);
const finding = fc
  .record({
    id: text(64),
    title: text(500),
    priority: fc.constantFrom(...PRIORITIES),
    category: fc.constantFrom(undefined, "sql-injection", "a1"),
    citations: fc.array(citation, { minLength: 1, maxLength: 3 }),
    issue: fc.option(text(FINDING_TEXT_CHARS_MAX), { nil: undefined }),
    fix: fc.option(text(FINDING_TEXT_CHARS_MAX), { nil: undefined }),
    path: fc.option(fc.array(citation, { maxLength: 3 }), { nil: undefined }),
    absence: fc.option(
      fc.record({ text: text(99), within: fc.array(text(99), { maxLength: 2 }) }),
      {
        nil: undefined,
      },
    ),
  })
  .map(present);
const checked = {
  finding,
  verdict: fc.constantFrom(...VERDICTS),
  reason: text(2_000),
  found: fc.option(fc.record({ file: text(99), line: fc.integer({ min: 1, max: 90 }) }), {
    nil: undefined,
  }),
  identity: fc.constant(digest("identity")),
  by: text(200),
};
const reportedFinding = fc
  .record({
    ...checked,
    also_by: fc.array(text(200), { maxLength: 2 }),
    support: fc.constantFrom("analyser", "second-reviewer", "reproducer", "quotation"),
    context: fc.record({
      from: fc.integer({ min: 1, max: 80 }),
      lines: fc.array(text(200), { maxLength: 5 }),
    }),
  })
  .map(present);
const outcome = fc
  .record({
    name: text(200),
    role: text(200),
    note: fc.option(text(2_000), { nil: undefined }),
    status: fc.constantFrom("complete", "partial", "missing"),
    confidence: fc.option(fc.integer({ min: 0, max: 100 })),
    hallucinated: fc.nat(2),
  })
  .map((part) => reviewer("x", present(part) as Partial<ReviewerOutcome>));

/** Reports whose every text is hostile. */
export const hostileReports: fc.Arbitrary<ReviewReport> = fc
  .record({
    kind: text(200),
    subject: fc.record({
      repository: text(200),
      base: fc.option(text(64)),
      head: text(64),
      range: text(200),
    }),
    status: fc.constantFrom("completed", "completed_with_gaps", "failed", "cancelled"),
    reviewers: fc.array(outcome, { maxLength: 3 }),
    findings: fc.array(reportedFinding, { maxLength: 3 }),
    refuted: fc.array(fc.record(checked).map(present), { maxLength: 2 }),
    unread: fc.array(
      fc.record({
        line: fc.integer({ min: 1, max: 9 }),
        text: text(2_000),
        why: text(500),
        by: text(200),
      }),
      { maxLength: 2 },
    ),
    gaps: fc.array(
      fc
        .record({
          what: text(2_000),
          who: fc.option(text(200), { nil: undefined }),
          why: text(2_000),
        })
        .map(present),
      { maxLength: 2 },
    ),
    notes: fc.array(text(2_000), { maxLength: 2 }),
    self_review: fc.array(
      fc
        .record({
          reviewer: text(200),
          notes: fc.array(text(2_000), { maxLength: 2 }),
          health: fc.constantFrom("healthy", "warning", "rotted"),
        })
        .map((part) => ({ confirmed: 1, revised: 0, deleted: 0, logged: 1, expected: 1, ...part })),
      { maxLength: 2 },
    ),
  })
  .map((parts) => ReviewReport.parse({ ...emptyReport(), ...parts }));

/** One report with every hostile piece in every field. */
export function hostileReport(): ReviewReport {
  const findings = HOSTILE_TEXTS.map((piece, index) =>
    reported(
      {
        id: piece.slice(0, 64),
        title: piece,
        priority: PRIORITIES[index % 3] ?? "P1",
        citations: [{ file: piece, line: 2, end_line: 3, quote: piece }],
        issue: piece,
        fix: piece,
        path: [{ file: piece, line: 1, quote: piece }],
        absence: { text: piece, within: [piece] },
      },
      {
        by: piece.slice(0, 200),
        also_by: [piece.slice(0, 200)],
        context: { from: 1, lines: ["", piece, piece] },
      },
    ),
  );
  const whole = HOSTILE_TEXTS.join("").slice(0, 200);
  return ReviewReport.parse({
    ...emptyReport(),
    kind: whole,
    subject: {
      repository: whole,
      base: whole.slice(0, 64),
      head: whole.slice(0, 64),
      range: whole,
    },
    reviewers: HOSTILE_TEXTS.map((piece) =>
      reviewer(piece.slice(0, 200), { role: piece.slice(0, 200), note: piece, status: "partial" }),
    ),
    findings,
    refuted: HOSTILE_TEXTS.map((piece) => ({
      ...refuted({ title: piece, issue: piece }, piece.slice(0, 200)),
      reason: piece,
    })),
    unread: HOSTILE_TEXTS.map((piece) => ({
      line: 1,
      text: piece,
      why: piece,
      by: piece.slice(0, 200),
    })),
    gaps: HOSTILE_TEXTS.map((piece) => ({ what: piece, who: piece.slice(0, 200), why: piece })),
    notes: [...HOSTILE_TEXTS],
    self_review: HOSTILE_TEXTS.map((piece) => ({
      ...{
        reviewer: piece.slice(0, 200),
        confirmed: 1,
        revised: 0,
        deleted: 0,
        logged: 1,
        expected: 1,
      },
      ...{ health: "warning", notes: [piece] },
    })),
  });
}
