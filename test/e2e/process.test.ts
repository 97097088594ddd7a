import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { opening } from "../fake/sandbox.ts";
import { abort, message } from "../flow/requests.ts";
import { verifies } from "../verifies.ts";
import { BIN, Built, EXAMPLE, ended } from "./built.ts";

/** Starts recording from standard input and waits until each line is acknowledged. */
async function recordingFrom(sworn: Built, ...lines: object[]) {
  const child = sworn.start("trace", "record", "-");
  const end = ended(child);
  for (const [index, line] of lines.entries()) {
    child.stdin.write(`${JSON.stringify(line)}\n`);
    let seen = "";
    while (!seen.includes(`recorded ${index + 1}\n`)) {
      const [chunk] = (await once(child.stderr, "data")) as [Buffer];
      seen += chunk.toString();
    }
  }
  return { child, end };
}

test("lines from standard input are recorded as they come", async () => {
  const sworn = new Built();
  const { child, end } = await recordingFrom(sworn, opening(), message("one"));
  expect(await sworn.json("verify", "latest")).toMatchObject({ entries: 2, failures: [] });
  child.stdin.end(JSON.stringify(message("two, without a newline")));
  expect(await end).toMatchObject({ exit: 0 });
  expect(await sworn.json("trace", "ls")).toMatchObject({ traces: [{ entries: 3 }] });
});

verifies(
  "002-44",
  "Ctrl-C during a recording leaves a valid trace that can be continued",
  async () => {
    const sworn = new Built();
    const { child, end } = await recordingFrom(sworn, opening(), message("one"));
    child.kill("SIGINT");
    child.stdin.write(`${JSON.stringify(message("two"))}\n`);
    expect(await end).toMatchObject({ exit: 1, signal: null });
    const report = await sworn.json<{ entries: number; failures: unknown[] }>("verify", "latest");
    expect(report.failures).toEqual([]);
    expect(report.entries).toBeGreaterThanOrEqual(2);
    expect(await sworn.json("trace", "fsck")).toMatchObject({ status: "ok" });
    sworn.script("more.jsonl", message("goes on"));
    const more = await sworn.json<{ entries: number }>(
      "trace",
      "record",
      "more.jsonl",
      "--trace",
      "latest",
    );
    expect(more.entries).toBe(report.entries + 1);
  },
);

test("Ctrl-C ends a recording that waits for input, without a second one", async () => {
  const sworn = new Built();
  const { child, end } = await recordingFrom(sworn, opening(), message("one"));
  child.kill("SIGINT");
  const outcome = await Promise.race([end, wait(5_000, "still waiting")]);
  child.kill("SIGKILL");
  await end;
  expect(outcome).not.toBe("still waiting");
  expect(await sworn.json("verify", "latest")).toMatchObject({ entries: 2, failures: [] });
});

verifies("002-44", "a recorder that was killed leaves every acknowledged entry", async () => {
  const sworn = new Built();
  const lines = [opening(), ...Array.from({ length: 6 }, (_, index) => message(`m${index}`))];
  const { child, end } = await recordingFrom(sworn, ...lines);
  child.kill("SIGKILL");
  expect(await end).toMatchObject({ signal: "SIGKILL" });
  expect(await sworn.json("verify", "latest")).toMatchObject({ entries: 7, failures: [] });
  expect(await sworn.json("trace", "recover", "latest")).toMatchObject({ kind: "sound" });
  sworn.script("more.jsonl", message("goes on"));
  expect(await sworn.json("trace", "record", "more.jsonl", "--trace", "latest")).toMatchObject({
    entries: 8,
  });
});

test("a reader that goes away early is no error", async () => {
  const sworn = new Built();
  sworn.script(
    "s.jsonl",
    opening(),
    ...Array.from({ length: 250 }, () => message("x".repeat(2_000))),
  );
  await sworn.json("trace", "record", "s.jsonl");
  for (const line of [
    ["trace", "show", "latest"],
    ["trace", "show", "latest", "--json"],
  ]) {
    const child = sworn.start(...line);
    const end = ended(child);
    await once(child.stdout, "data");
    child.stdout.destroy();
    const { exit, err } = await end;
    expect(exit).toBe(0);
    expect(err).not.toMatch(/EPIPE|Error|at /);
  }
});

test("tail --follow shows entries as they come and ends with the session", async () => {
  const sworn = new Built();
  sworn.script("one.jsonl", opening());
  await sworn.json("trace", "record", "one.jsonl");
  const child = sworn.start("trace", "tail", "latest", "--follow");
  const end = ended(child);
  await once(child.stdout, "data");
  sworn.script("two.jsonl", message("hello there"), abort());
  await sworn.json("trace", "record", "two.jsonl", "--trace", "latest");
  const { exit, out } = await end;
  expect(exit).toBe(0);
  expect(out).toContain("session_initialized");
  expect(out).toContain("hello there");
  expect(out).toContain("session_aborted");
});

verifies(
  ["002-36", "002-38"],
  "several processes write one trace at once: no line is lost and the chain holds",
  async () => {
    const sworn = new Built();
    sworn.script("one.jsonl", opening());
    const { trace } = await sworn.json<{ trace: string }>("trace", "record", "one.jsonl");
    const writers = [0, 1, 2, 3].map((number) => {
      const child = sworn.start("trace", "record", "-", "--trace", trace);
      const end = ended(child);
      for (let count = 0; count < 10; count += 1)
        child.stdin.write(`${JSON.stringify(message(`${number}/${count}`))}\n`);
      child.stdin.end();
      return end;
    });
    for (const { exit } of await Promise.all(writers)) expect(exit).toBe(0);
    const { entries } = await sworn.json<{ entries: { body: { text?: string } }[] }>(
      "trace",
      "show",
      trace,
    );
    const said = entries.flatMap(({ body }) => body.text ?? []);
    expect(said).toHaveLength(40);
    for (const number of [0, 1, 2, 3]) {
      const own = said.filter((text) => text.startsWith(`${number}/`));
      expect(own).toEqual(Array.from({ length: 10 }, (_, count) => `${number}/${count}`));
    }
    expect(await sworn.json("verify", trace)).toMatchObject({ entries: 41, failures: [] });
    expect(await sworn.json("trace", "fsck")).toMatchObject({ status: "ok" });
  },
);

test("processes that import one bundle at once leave the trace whole", async () => {
  const source = new Built();
  await source.json("trace", "record", EXAMPLE);
  await source.json("trace", "export", "latest", "--out", "a.tar");
  for (let round = 0; round < 4; round += 1) {
    const sworn = new Built();
    const bundle = `${source.cwd}/a.tar`;
    const outcomes = await Promise.all(
      [1, 2, 3].map(() => sworn.run("trace", "import", bundle, "--json")),
    );
    expect(outcomes.map(({ exit }) => exit)).toContain(0);
    expect(await sworn.json("trace", "fsck")).toMatchObject({
      status: "ok",
      traces: [{ entries: 36 }],
    });
  }
});

test("from a folder that was deleted every command says so in one line", async () => {
  const { cwd, env } = new Built();
  const script = 'cd "$1" && rmdir "$1" && shift && exec "$@"';
  for (const line of [["status"], ["run", "Do it", "--json"], ["--version"], []]) {
    mkdirSync(`${cwd}/gone`);
    const words = ["-c", script, "sh", `${cwd}/gone`, process.execPath, BIN, ...line];
    const child = spawn("sh", words, { cwd, env });
    expect(await ended(child)).toMatchObject({
      exit: 1,
      out: "",
      err: "sworn: the folder that this was started in was deleted; change into one that is there and say it again\n",
    });
  }
});
