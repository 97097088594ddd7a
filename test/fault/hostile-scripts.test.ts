import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Ended, each, run, sworn } from "../fake/child.ts";
import { opening, temporaryFolder } from "../fake/sandbox.ts";
import { contentOf, message } from "./project.ts";

const FIRST = JSON.stringify(opening());
const GOOD = JSON.stringify(message("fine"));
const SECRET = "nobody may record this";

/** A project in which nothing was recorded yet, and a place outside it. */
function freshProject() {
  const folder = temporaryFolder();
  const [project, state, outside] = [join(folder, "p"), join(folder, "s"), join(folder, "outside")];
  for (const path of [project, outside]) mkdirSync(path);
  writeFileSync(join(outside, "secret.txt"), SECRET);
  return { folder, project, state, outside };
}

function expectClear(
  what: string,
  { code, out, err, hung }: Ended,
  codes: readonly number[],
): void {
  expect([what, hung]).toEqual([what, false]);
  expect(codes, `${what}: ${out.slice(0, 500)}${err.slice(0, 500)}`).toContain(code);
  expect(out + err, what).not.toMatch(/^ {4}at |node:internal|UNEXPECTED|TypeError|RangeError/m);
}

const withBody = (body: string) =>
  `{"actor":{"agent":"mara","role":"operator"},"type":"message_posted","body":${body}}`;

/** Lines that are no requests, and what the message must name beside the line: the field, where there is one. */
const BAD_LINES: Record<string, [line: string | Buffer, names: RegExp]> = {
  "half a line": ['{"actor":', /JSON/],
  "a list": ["[]", /./],
  "a number": ["12", /./],
  nothing: ["null", /./],
  "an unknown type": [withBody('{"text":"x"}').replace("message_posted", "message_eaten"), /type/],
  "an unknown field": [withBody('{"text":"x"}').replace('{"actor"', '{"extra":1,"actor"'), /extra/],
  "an unknown field in the body": [withBody('{"text":"x","extra":1}'), /body.*extra/],
  "a missing field": [withBody("{}"), /body\.text/],
  "a field of another type": [withBody('{"text":7}'), /body\.text/],
  "an empty text": [withBody('{"text":""}'), /body\.text/],
  "a text that is too long": [withBody(`{"text":"${"x".repeat(65_537)}"}`), /body\.text/],
  "an unknown role": [withBody('{"text":"x"}').replace('"operator"', '"king"'), /actor\.role/],
  "a name that is no name": [withBody('{"text":"x"}').replace("mara", "../mara"), /actor\.agent/],
  "a key called __proto__": [withBody('{"text":"x","__proto__":{"y":1}}'), /body|__proto__/],
  "a key called constructor": [withBody('{"text":"x","constructor":1}'), /body.*constructor/],
  "a key given twice": [withBody('{"text":"x","text":"y"}'), /text/],
  "a lone surrogate": [withBody('{"text":"\\ud800"}'), /surrogate/],
  "bytes that are no text": [Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), /UTF-8/],
  "a zero byte": [withBody('{"text":"a\0b"}'), /JSON/],
  "a byte order mark": [`\ufeff${GOOD}`, /JSON/],
  "a line nested a hundred thousand deep": ["[".repeat(100_000) + "]".repeat(100_000), /nested/],
  "a line of two megabytes": [withBody(`{"text":"${"x".repeat(2_000_000)}"}`), /1048576|large/],
  "a text of ten megabytes": [withBody(`{"text":"${"x".repeat(10_000_000)}"}`), /1048576|large/],
};

test("a script with one bad line records nothing and names the line and the field", async () => {
  const place = freshProject();
  const cases = Object.entries(BAD_LINES);
  for (const [at, [, [line]]] of cases.entries()) {
    const script = [
      Buffer.from(`${FIRST}\n${GOOD}\n`),
      Buffer.from(line),
      Buffer.from(`\n${GOOD}\n`),
    ];
    writeFileSync(join(place.project, `${at}.jsonl`), Buffer.concat(script));
  }
  const before = contentOf(place.folder);
  await each([...cases.entries()], 2, async ([at, [what, [, names]]]) => {
    const ended = await sworn(place, ["trace", "record", `${at}.jsonl`, "--json"]);
    expectClear(what, ended, [2]);
    const { error } = JSON.parse(ended.out) as { error: { message: string } };
    expect(error.message, what).toMatch(/^line 3: /);
    expect(error.message, what).toMatch(names);
    expect(error.message.length, what).toBeLessThan(2_000);
  });
  expect(contentOf(place.folder)).toEqual(before);
});

test("a script of lines that end as on Windows, with blank ones between, is recorded", async () => {
  const place = freshProject();
  writeFileSync(join(place.project, "script.jsonl"), `${FIRST}\r\n\r\n \n${GOOD}\r\n`);
  const ended = await sworn(place, ["trace", "record", "script.jsonl", "--json"]);
  expectClear("carriage returns", ended, [0]);
  expect(JSON.parse(ended.out)).toMatchObject({ entries: 2 });
});

test("an empty file, a folder or a device in place of a script records nothing", async () => {
  const place = freshProject();
  writeFileSync(join(place.project, "empty.jsonl"), "");
  writeFileSync(join(place.project, "blank.jsonl"), "\n\n\n");
  const before = contentOf(place.folder);
  for (const script of ["empty.jsonl", "blank.jsonl", ".", "/dev/zero", "/dev/null", "missing"]) {
    expectClear(script, await sworn(place, ["trace", "record", script]), [2]);
  }
  expect(contentOf(place.folder)).toEqual(before);
});

test("a stream with a bad line keeps what came before it and names the line", async () => {
  const place = freshProject();
  const ended = await sworn(place, ["trace", "record", "-", "--json"], {
    input: `${FIRST}\n${GOOD}\n${withBody("{}")}\n`,
  });
  expectClear("stream", ended, [2]);
  expect(JSON.parse(ended.out)).toMatchObject({
    error: { message: expect.stringMatching(/^line 3: body\.text/) },
  });
  const fsck = await sworn(place, ["trace", "fsck"]);
  expect(fsck.code, fsck.out).toBe(0);
});

/** Paths that an artifact may not come from, made in the project where they need to be there. */
const BAD_PATHS: Record<string, (place: ReturnType<typeof freshProject>) => string> = {
  "a path that climbs out": () => "../outside/secret.txt",
  "a path that climbs out in the middle": () => "folder/../../outside/secret.txt",
  "an absolute path": ({ outside }) => join(outside, "secret.txt"),
  "a link to a file outside": ({ project, outside }) => {
    symlinkSync(join(outside, "secret.txt"), join(project, "link.txt"));
    return "link.txt";
  },
  "a link to a folder outside": ({ project, outside }) => {
    symlinkSync(outside, join(project, "linked"));
    return "linked/secret.txt";
  },
  "a queue": () => "queue",
  "a folder": () => "folder",
  "the project itself": () => ".",
  "a device": () => "/dev/zero",
  "a missing file": () => "missing.txt",
  "a path with a zero byte": () => "secret\0.txt",
  "an empty path": () => "",
};

test("an artifact from where it may not come from is refused, and nothing of it is stored", async () => {
  await each(Object.entries(BAD_PATHS), 2, async ([what, toPath]) => {
    const place = freshProject();
    mkdirSync(join(place.project, "folder"));
    expect((await run("mkfifo", [join(place.project, "queue")])).code).toBe(0);
    const path = toPath(place);
    const line = JSON.stringify({ ...message("see"), artifacts: [{ path }] });
    writeFileSync(join(place.project, "script.jsonl"), `${FIRST}\n${GOOD}\n${line}\n`);
    const args = ["trace", "record", "script.jsonl", "--json"];
    expectClear(what, await sworn(place, args, { guardMs: 20_000 }), [2, 3]);
    expect(filesIn(join(place.project, ".sworn", "artifacts")), what).toEqual([]);
    expect(filesIn(join(place.project, ".sworn", "traces")), what).toEqual([]);
    expect(filesIn(join(place.state, "heads")), what).toEqual([]);
  });
});

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name);
  } catch {
    return [];
  }
}

test("names that every object has are names like any other", async () => {
  const place = freshProject();
  const agents = opening().body as { agents: object[] };
  const named = opening({
    task: "constructor",
    agents: [...agents.agents, { agent: "constructor", roles: ["executor"] }],
  });
  const ask = {
    ...{ actor: { agent: "constructor", role: "executor" }, type: "question_asked" },
    body: { question_id: "tostring", text: "Hm?", default: "__proto__" },
  };
  const answer = {
    ...{ actor: { agent: "mara", role: "operator" }, type: "question_answered" },
    body: { question_id: "valueof", answer: "constructor" },
  };
  const script = [named, ask, answer].map((one) => JSON.stringify(one)).join("\n");
  const ended = await sworn(place, ["trace", "record", "-", "--json"], { input: script });
  expectClear("names", ended, [3]);
  expect(JSON.parse(ended.out)).toMatchObject({
    entries: 2,
    refused: { line: 3, rule: "ORDER_GUARD" },
  });
  const fsck = await sworn(place, ["trace", "fsck"]);
  expect(fsck.code, fsck.out).toBe(0);
});
