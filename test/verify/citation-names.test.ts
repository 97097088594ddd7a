import { expect, test } from "vitest";
import type { Finding } from "../../src/schema/finding.ts";
import { checkFinding } from "../../src/verify/citation/index.ts";
import { verifies } from "../verifies.ts";
import { findingAt, MemoryTree } from "./citation-tree.ts";

const CODE =
  "export function loadUser(user_id: string) {\n  return this.store.fetchRow(user_id);\n}\n";
const OTHER = "export class SessionStore {\n  closeAll() {}\n}\n";
const FILES = { "src/user.ts": CODE, "src/session.ts": OTHER };
const QUOTE = {
  file: "src/user.ts",
  line: 1,
  quote: "export function loadUser(user_id: string) {",
};

async function check(more: Partial<Finding>, files: object = FILES) {
  return checkFinding(findingAt(QUOTE, more), new MemoryTree({ ...files }));
}

const INVENTED = [
  "The call to `validateToken()` trusts its input.",
  "`checkPermissions(user, role)` returns early.",
  "The `UserRepository.findAll` method leaks rows.",
  "`SessionStore.destroySession()` is called twice.",
  "The variable `account_balance` can be negative.",
  "`isAdminUser` is computed from the request.",
  "In `this.cacheLayer` the entry stays forever.",
  "`await flushQueue()` blocks the loop.",
  "Here `new TokenParser()` is built for each request.",
  "`auth::verify_signature` compares with ==.",
  "The result of `db.fetchAllRows()` is ignored.",
];

verifies(
  "000-45",
  "an identifier that is nowhere in the source makes a finding made up",
  async () => {
    for (const issue of INVENTED) {
      const { verdict, reason } = await check({ issue });
      expect([issue, verdict]).toEqual([issue, "HALLUCINATED"]);
      expect(reason).toMatch(/^it speaks of `\w+`, which is nowhere in the source$/);
    }
    expect((await check({ title: "`validateToken()` is unsafe" })).verdict).toBe("HALLUCINATED");
  },
);

const FINE = [
  "`loadUser()` and `user_id` are here.",
  "`SessionStore.closeAll()` is in another file.",
  "The `SessionStore` class is in another file.",
  "`store.fetchRow` is called.",
  "A plain `word`, a `Word`, `true`, `null`, `undefined`, `42`, `0x1f`, `'text'`, `\"text\"`.",
  "Run `npm install`, `git push --force`, `rm -rf build` or `make test_all -j4`.",
  "See `src/other_file.ts`, `config_file.json`, `Node.js`, `README.md`, `my_module.py:12`.",
  "Headers `X-Frame-Options`, `Content-Type` and flags `HttpOnly`, `SameSite`, `--no_verify`.",
  "Environment variables `NODE_ENV`, `AWS_SECRET_ACCESS_KEY` and `PATH`.",
  "Types `TypeError`, `KeyError`, `NullPointerException` and `ValidationError()`.",
  "It ends in `eval()`, `exec()`, `innerHTML`, `JSON.parse()` or `child_process.exec(cmd)`.",
  "`Promise.all()`, `Math.random()`, `crypto.randomBytes(16)`, `os.path.join()`, `Array.isArray`.",
  "It should call `sanitizeInput()`.",
  "Prefer `safeCompare()`; consider `useMemoizedValue()`.",
  "There is no `rateLimiter()` and it runs without `csrfToken`.",
  "It never calls `closeHandle()`, does not call `verifyHash()`, and is missing `awaitAll()`.",
  "Replace it with `prepared_query()` or use `bound_parameters`.",
  "An attacker sends names such as `drop_table` or, e.g., `evilPayload()`.",
  "`releaseLock()` is missing. `check_owner` should be called first. `audit_trail` is not used.",
  "Versions `v1.2`, `1.0.0`, hosts `example.com`, `api.example.org`, ranges `a..b`, `i.e`.",
  "Operators `===`, `a + b`, `x => y`, `{ key: value }`, `[]`, `<div>`, `&amp;`, `*.ts`, `$1`.",
  "Options `strict`, `safe.directory`, `core.worktree`.",
  "```\ninventedCall()\nmade_up_name\n```",
  "Words in prose like validateToken() without backticks.",
  "`SELECT * FROM users`, `user id`, `kebab-case-name`, `SCREAMING_CASE`, `CamelCase`.",
];

test("ordinary words, commands, file names, literals and advice do not", async () => {
  for (const issue of FINE) {
    const { verdict, reason } = await check({ issue });
    expect([issue, verdict, reason]).toEqual([issue, "CONFIRMED", "the quoted text is at line 1"]);
  }
});

test("names in the fix are advice", async () => {
  expect((await check({ fix: "Call `validateToken()` first." })).verdict).toBe("CONFIRMED");
});

test("a name counts as a word of its own, not as a part of one", async () => {
  expect((await check({ issue: "The `loadUse()` call fails." })).verdict).toBe("HALLUCINATED");
  expect((await check({ issue: "The `closeAl()` call fails." })).verdict).toBe("HALLUCINATED");
});

test("while a file could not be read, an unknown name is not called invented", async () => {
  const files = { ...FILES, "big.ts": { kind: "too-large", size: 1e9 } };
  expect(await check({ issue: "`validateToken()` fails." }, files)).toMatchObject({
    verdict: "UNVERIFIED",
    reason: expect.stringContaining("big.ts was not"),
  });
  const harmless = { ...FILES, "logo.png": Buffer.from("\0"), link: { kind: "link" } };
  expect((await check({ issue: "`validateToken()` fails." }, harmless)).verdict).toBe(
    "HALLUCINATED",
  );
});

const absent = (text: string, within: string[] = []): Partial<Finding> => ({
  title: "No limit on attempts",
  absence: { text, within },
});

verifies("000-45", "a claim of absence is searched, and refuted with the place", async () => {
  expect(await check(absent("closeAll"))).toMatchObject({
    verdict: "HALLUCINATED",
    reason: "`closeAll` is said to be absent, and is in src/session.ts at line 2",
    found: { file: "src/session.ts", line: 2 },
  });
  expect(await check(absent("closeAll", ["src/session.ts"]))).toMatchObject({
    verdict: "HALLUCINATED",
  });
});

test("an absence is not shown by a text that only its white space keeps from being found", async () => {
  const files = { "src/a.ts": "if (!isAllowed(\n  user,\n)) return;\n" };
  for (const text of ["isAllowed( user, )", "isAllowed(user,)", "! isAllowed (user"]) {
    expect(await check(absent(text), { ...FILES, ...files })).toMatchObject({
      verdict: "UNVERIFIED",
      reason: expect.stringContaining("src/a.ts has it at line 1 with other white space"),
    });
  }
});

test("an absence that every file shows is confirmed", async () => {
  expect(await check(absent("rateLimit"))).toMatchObject({
    verdict: "CONFIRMED",
    reason: "`rateLimit` is in none of 2 files",
  });
  for (const within of ["src", "./src/", "src/**", "src/user.ts", "."]) {
    expect((await check(absent("rateLimit", [within]))).verdict).toBe("CONFIRMED");
  }
  expect((await check(absent("closeAll", ["src/user.ts"]))).verdict).toBe("CONFIRMED");
  const bare = { citations: [{ file: "src/user.ts", line: 1 }], ...absent("rateLimit") };
  expect((await check(bare)).verdict).toBe("CONFIRMED");
});

test("an absence does not heal a made-up or inaccurate quote", async () => {
  const made = { citations: [{ ...QUOTE, quote: "made up text" }], ...absent("rateLimit") };
  expect((await check(made)).verdict).toBe("HALLUCINATED");
  const moved = { citations: [{ ...QUOTE, line: 3 }], ...absent("rateLimit") };
  expect((await check(moved)).verdict).toBe("INACCURATE");
});

test("an absence is unverified while something within was not searched", async () => {
  for (const entry of [
    { kind: "too-large", size: 9 },
    { kind: "unreadable", why: "gone" },
    { kind: "submodule" },
  ]) {
    const files = { ...FILES, "lib/x": entry };
    expect(await check(absent("rateLimit"), files)).toMatchObject({
      verdict: "UNVERIFIED",
      reason: expect.stringContaining("lib/x was not searched"),
    });
    expect((await check(absent("rateLimit", ["src"]), files)).verdict).toBe("CONFIRMED");
    expect((await check(absent("closeAll"), files)).verdict).toBe("HALLUCINATED");
  }
});

test("a search through nothing proves nothing", async () => {
  for (const within of ["lib", "../", "src/none.ts", "sr"]) {
    expect(await check(absent("rateLimit", ["src", within]))).toMatchObject({
      verdict: "UNVERIFIED",
      reason: expect.stringContaining("nothing under"),
    });
  }
});

test("text in binary files counts as there", async () => {
  const files = { ...FILES, "wide.txt": Buffer.from("\ufeffrateLimit", "utf16le") };
  expect((await check(absent("rateLimit"), files)).verdict).toBe("HALLUCINATED");
});

test("a claim about all the code without a search is unverified", async () => {
  for (const issue of [
    "This is nowhere tested.",
    "`loadUser()` is never called.",
    "There are no tests for this.",
    "It is not validated anywhere.",
    "This doesn't check the name anywhere.",
    "There is no check of user.name anywhere.",
    "No rate limit exists in the whole codebase.",
  ]) {
    expect(await check({ issue })).toMatchObject({
      verdict: "UNVERIFIED",
      reason: "it says that something is nowhere, and carries no search that shows it",
    });
  }
  for (const issue of [
    "Missing null check.",
    "There is no check of the length.",
    "Never trust it.",
  ]) {
    expect((await check({ issue })).verdict).toBe("CONFIRMED");
  }
});
