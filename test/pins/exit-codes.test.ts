import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { expect, test } from "vitest";
import { type ErrorCode, SwornError } from "../../src/base/index.ts";
import { toAnswer } from "../../src/cli/failure.ts";
import { Shell } from "../cli/shell.ts";
import { opening } from "../fake/sandbox.ts";
import { message } from "../flow/requests.ts";

const EXAMPLE = resolve(import.meta.dirname, "../../examples/session.jsonl");

/** Frozen: scripts rely on these. 1 the machine failed, 2 wrong input, 3 refused, 4 does not verify. */
const EXITS = {
  INPUT_INVALID: 2,
  LIMIT_EXCEEDED: 2,
  NOT_FOUND: 2,
  ALREADY_EXISTS: 3,
  PATH_ESCAPES: 3,
  KEY_EXPOSED: 3,
  KEY_LOCKED: 3,
  KEY_UNUSABLE: 3,
  LEDGER_BUSY: 1,
  LEDGER_CORRUPT: 4,
  LEDGER_BEHIND: 4,
  LEDGER_WRITE_FAILED: 1,
  LEDGER_COMMIT_UNKNOWN: 1,
  ARTIFACT_WRITE_FAILED: 1,
  STORE_UNREADABLE: 4,
  STORE_READ_ONLY: 1,
  BUNDLE_MALFORMED: 4,
  SANDBOX_FAILED: 1,
  SANDBOX_REFUSED: 3,
  ENVIRONMENT_CHANGED: 4,
  AGENT_UNHEARD: 1,
  DELIVERY_FAILED: 1,
} satisfies Record<ErrorCode, number>;

test.each(Object.entries(EXITS) as [ErrorCode, number][])("%s ends with %i", (code, exit) => {
  expect(toAnswer(new SwornError(code, "why"))).toEqual({
    exit,
    json: { error: { code, message: "why" } },
    words: `sworn: why [${code}]`,
  });
});

test("what nobody foresaw ends with 1, never with a pass", () => {
  expect(toAnswer(new Error("boom"))).toMatchObject({
    exit: 1,
    json: { error: { code: "UNEXPECTED", message: "boom" } },
  });
  const full = Object.assign(new Error("no space"), { code: "ENOSPC" });
  expect(toAnswer(full)).toMatchObject({ exit: 1, json: { error: { code: "ENOSPC" } } });
  expect(toAnswer("a string")).toMatchObject({ exit: 1 });
  expect(toAnswer(undefined)).toMatchObject({ exit: 1 });
});

/** A project with one completed trace. */
async function recorded() {
  const shell = new Shell();
  await shell.run("trace", "record", EXAMPLE);
  const { trace } = (await shell.run("trace", "show", "latest", "--json")).json<{
    trace: string;
  }>();
  const ledger = join(shell.cwd, ".sworn", "traces", trace, "ledger.db");
  const head = join(shell.folder, "state", "heads", `${trace}.head`);
  return { shell, trace, ledger, head };
}

function tamper(path: string, sql: string): void {
  const db = new DatabaseSync(path);
  db.exec(sql);
  db.close();
}

/** How to bring each error about from the outside, where that is easy. */
const PROVOKED: Partial<Record<ErrorCode, () => Promise<[Shell, string[]]>>> = {
  INPUT_INVALID: async () => {
    const shell = new Shell();
    return [shell, ["trace", "record", shell.write("s.jsonl", "nonsense\n")]];
  },
  LIMIT_EXCEEDED: async () => {
    const shell = new Shell();
    const line = `{"a":${"[".repeat(70)}${"]".repeat(70)}}\n`;
    return [shell, ["trace", "record", shell.write("s.jsonl", line)]];
  },
  NOT_FOUND: async () => [new Shell(), ["trace", "show", "latest"]],
  ALREADY_EXISTS: async () => {
    const shell = new Shell();
    await shell.run("init");
    return [shell, ["init", "--passphrase-file", shell.write("p", "secret\n")]];
  },
  PATH_ESCAPES: async () => {
    const shell = new Shell();
    writeFileSync(join(shell.folder, "outside"), "secret");
    const reaching = { ...message("look"), artifacts: [{ path: "../outside" }] };
    return [shell, ["trace", "record", shell.script("s.jsonl", opening(), reaching)]];
  },
  KEY_EXPOSED: async () => {
    const { shell } = await recorded();
    chmodSync(join(shell.folder, "state", "keys", "eli.json"), 0o644);
    return [shell, ["keys", "list"]];
  },
  KEY_UNUSABLE: async () => {
    const { shell } = await recorded();
    writeFileSync(join(shell.folder, "state", "keys", "eli.json"), "{}");
    return [shell, ["keys", "rotate", "eli"]];
  },
  LEDGER_CORRUPT: async () => {
    const { shell, ledger } = await recorded();
    tamper(ledger, "UPDATE entry SET line = replace(line, 'ada', 'adb') WHERE seq = 2");
    return [
      shell,
      ["trace", "record", shell.script("s.jsonl", message("hi")), "--trace", "latest"],
    ];
  },
  LEDGER_BEHIND: async () => {
    const { shell, ledger } = await recorded();
    // An older copy put back: the last commit and its checkpoint are gone together.
    tamper(ledger, "DELETE FROM entry WHERE seq = 35");
    return [
      shell,
      ["trace", "record", shell.script("s.jsonl", message("hi")), "--trace", "latest"],
    ];
  },
  STORE_UNREADABLE: async () => {
    const { shell, ledger } = await recorded();
    writeFileSync(ledger, "not a database");
    return [shell, ["trace", "show", "latest"]];
  },
  BUNDLE_MALFORMED: async () => {
    const shell = new Shell();
    return [shell, ["trace", "import", shell.write("b.tar", "not a bundle")]];
  },
};

test.each(Object.keys(PROVOKED) as ErrorCode[])("%s, brought about from outside", async (code) => {
  const provoked = await PROVOKED[code]?.();
  if (!provoked) throw new Error("no way to bring it about");
  const [shell, argv] = provoked;
  const { exit, json } = await shell.run(...argv, "--json");
  expect(json()).toMatchObject({ error: { code } });
  expect(exit).toBe(EXITS[code]);
});

test("locked keys end with 3 until the passphrase is named", async () => {
  const shell = new Shell();
  shell.write("p", "secret\n");
  expect((await shell.run("init", "--passphrase-file", "p")).exit).toBe(0);
  shell.script("s.jsonl", opening());
  const locked = await shell.run("trace", "record", "s.jsonl", "--json");
  expect([locked.exit, locked.json()]).toMatchObject([3, { error: { code: "KEY_LOCKED" } }]);
  expect((await shell.run("trace", "ls", "--json")).json()).toEqual({ traces: [] });
  shell.env["SWORN_PASSPHRASE_FILE"] = "p";
  expect((await shell.run("trace", "record", "s.jsonl")).exit).toBe(0);
});

test("verdicts have their own codes: 0 holds, 3 refused, 4 does not hold", async () => {
  const { shell } = await recorded();
  await shell.run("trace", "export", "latest", "--out", "a.tar");
  expect((await shell.run("verify", "a.tar")).exit).toBe(0);
  const path = join(shell.cwd, "a.tar");
  writeFileSync(path, readFileSync(path, "latin1").replace("Per user.", "Per hour."), "latin1");
  expect((await shell.run("verify", "a.tar")).exit).toBe(4);
  expect((await shell.run("verify", "a.tar", "--profile", "lenient")).exit).toBe(4);
  shell.script("again.jsonl", opening());
  const refused = await shell.run("trace", "record", "again.jsonl", "--trace", "latest");
  expect(refused.exit).toBe(3);
});
