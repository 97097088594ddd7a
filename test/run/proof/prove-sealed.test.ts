import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { PROBES } from "../../../src/run/proof/probe-program.ts";
import { runSealed } from "../../../src/run/proof/sealed-run.ts";
import { Limits } from "../../../src/schema/execution.ts";
import { temporaryFolder } from "../../fake/sandbox.ts";
import { ProofWorld } from "./proof-world.ts";

const saying = (words: string) => expect.stringContaining(words) as string;

describe("command", () => {
  const world = () => ProofWorld.of({ "a.txt": "old\n" }, { "a.txt": "new\n" });

  test("it runs on the files that the work left, and its end and its words count", async () => {
    const made = await world();
    const prove = (proof: object) => made.prove({ kind: "command", ...proof });
    const script = ["sh", "-c", "cat a.txt; echo oops >&2; exit 3"];
    const right = await prove({ argv: script, exit: 3, stdout: "new", stderr: "oops" });
    expect(right).toMatchObject({ verdict: "pass", output: "new\n\n[stderr]\noops\n" });
    expect(await prove({ argv: script })).toMatchObject({
      verdict: "fail",
      reason: "expected exit code 0, found 3",
    });
    const silent = await prove({ argv: script, exit: 3, stdout: "old" });
    expect(silent).toMatchObject({ verdict: "fail", reason: saying('"old" on stdout') });
  });

  test("a program that is missing, and one that does not end, prove nothing", async () => {
    const made = await world();
    const missing = await made.prove({ kind: "command", argv: ["no-such-tool"], exit: 127 });
    expect(missing).toMatchObject({ verdict: "unproven", reason: saying("no-such-tool") });
    const limits = Limits.parse({ step_seconds: 1 });
    const late = await made.prove({ kind: "command", argv: ["sleep", "60"] }, { limits });
    expect(late).toMatchObject({ verdict: "unproven", reason: "sleep ran out of time" });
  });

  test("words are arguments and no shell's, and nothing outside is in reach", async () => {
    const made = await world();
    const proof = { kind: "command", argv: ["echo", "$(id)", ";", "ls"], stdout: "$(id) ; ls" };
    expect((await made.prove(proof)).verdict).toBe("pass");
    const looks = { kind: "command", argv: ["test", "-e", made.project.path], exit: 1 };
    expect((await made.prove(looks)).verdict).toBe("pass");
  });

  test("compiled files that came with the work are not run in the place of others", async () => {
    const pyc = "__pycache__/a.cpython-311.pyc";
    const made = await ProofWorld.of(
      { "old/__pycache__/b.pyc": "b" },
      { [pyc]: "a", "a.txt": "a\n" },
    );
    const gone = await made.prove({ kind: "command", argv: ["test", "-e", pyc], exit: 1 });
    expect(gone.verdict).toBe("pass");
    const old = { kind: "command", argv: ["test", "-e", "old/__pycache__/b.pyc"] };
    expect((await made.prove(old)).verdict).toBe("pass");
  });

  test("what was called off is unproven", async () => {
    const made = await world();
    const signal = AbortSignal.abort();
    const outcome = await made.prove({ kind: "file", path: "a.txt", present: true }, { signal });
    expect(outcome.verdict).toBe("unproven");
  });
});

describe("the project's node_modules", () => {
  const LOOKS = ["node", "-e", "console.log(require('dep'))"];
  const world = async () => {
    const made = await ProofWorld.of({ ".gitignore": "node_modules\n" }, { "a.txt": "a\n" });
    for (const folder of [made.project.home, made.project.path]) chmodSync(folder, 0o755);
    return made;
  };

  test("are there, and cannot be changed", async () => {
    const made = await world();
    made.project.write("node_modules/dep/index.js", "module.exports = 'found';\n");
    const found = await made.prove({ kind: "command", argv: LOOKS, stdout: "found" });
    expect(found.verdict).toBe("pass");
    chmodSync(join(made.project.path, "node_modules/dep"), 0o777);
    const touch = ["touch", "node_modules/dep/new.js"];
    const outcome = await made.prove({
      kind: "command",
      argv: touch,
      exit: 1,
      stderr: "Read-only",
    });
    expect(outcome.verdict).toBe("pass");
  });

  test("are not there when they are a link, or lie where a sandbox cannot look", async () => {
    const made = await world();
    const elsewhere = temporaryFolder();
    mkdirSync(join(elsewhere, "dep"));
    writeFileSync(join(elsewhere, "dep/index.js"), "module.exports = 'found';\n");
    chmodSync(elsewhere, 0o755);
    symlinkSync(elsewhere, join(made.project.path, "node_modules"));
    const proof = { kind: "command", argv: LOOKS, exit: 1, stderr: "Cannot find module 'dep'" };
    expect((await made.prove(proof)).verdict).toBe("pass");
    const runner = { kind: "test", name: "a", command: ["node", "node_modules/vitest/vitest.mjs"] };
    expect(await made.prove(runner)).toMatchObject({
      verdict: "unproven",
      reason: saying("node_modules of the project is a link, which no sandbox follows"),
    });
    const puzzling = await made.prove({ kind: "command", argv: LOOKS });
    expect(puzzling).toMatchObject({ verdict: "fail", reason: saying("is a link") });
  });
});

describe("http", () => {
  const SERVER = `
    const { createServer } = require("node:http");
    const warm = Date.now() + 200;
    createServer((request, response) => {
      response.statusCode = Date.now() < warm ? 503 : 200;
      response.setHeader("x-name", "demo");
      response.end(request.url === "/big" ? "x".repeat(1e6) : "healthy " + request.url);
    }).listen(8080, "127.0.0.1");
  `;
  const ASKED = { kind: "http", start: ["node", "server.js"], port: 8080, path: "/health" };

  test("a service is started from the work's own files, asked from inside until it is ready, and ended", async () => {
    const made = await ProofWorld.of({}, { "server.js": SERVER });
    // The last two take all of their time, in which a slow machine has to have started their service.
    const [well, other, big] = await Promise.all([
      made.prove({ ...ASKED, status: 200, body: "healthy /health" }),
      made.prove({ ...ASKED, status: 204, seconds: 5 }),
      made.prove({ ...ASKED, path: "/big", status: 200, seconds: 5 }),
    ]);
    expect(well).toMatchObject({ verdict: "pass", reason: saying("answered 200") });
    expect(other).toMatchObject({ verdict: "fail", reason: saying("expected 204") });
    expect(big).toMatchObject({ verdict: "fail", reason: saying("more than 65536 bytes") });
  });

  test("both forms of the probe say the same", async () => {
    const scene = (await ProofWorld.of({}, { "server.js": SERVER })).scene();
    const { after: commit, before: base } = scene;
    const { kind, ...service } = ASKED;
    const asked = JSON.stringify({ ...service, status: 200, ms: 5_000, bytes: 1_000 });
    const wrong = JSON.stringify({ ...service, start: ["no-such"], status: 200, ms: 5_000 });
    const told = await Promise.all(
      PROBES.flatMap((program) =>
        [asked, wrong].map(async (words) => {
          const end = await runSealed({ argv: [...program, words], commit, base }, scene);
          const { headers, why, ...rest } = JSON.parse(end.stdout);
          return { ...rest, name: headers?.["x-name"], isWhy: why.includes("no-such") };
        }),
      ),
    );
    const well = { started: true, status: 200, body: "healthy /health", name: "demo" };
    expect(told[0]).toMatchObject(well);
    expect(told[1]).toMatchObject({ started: false, exit: -1, isWhy: true });
    expect(told.slice(2)).toEqual(told.slice(0, 2));
  });

  test("what a try said is not forgotten over one that the end of the time cut short", async () => {
    const once = `
      let asked = 0;
      require("node:http").createServer((request, response) => {
        asked += 1;
        if (asked === 1) response.end("x".repeat(100_000));
      }).listen(8080, "127.0.0.1");
    `;
    const scene = (await ProofWorld.of({}, { "server.js": once })).scene();
    const { after: commit, before: base } = scene;
    const { kind, ...service } = ASKED;
    const asked = JSON.stringify({ ...service, status: 200, ms: 6_000, bytes: 1_000 });
    for (const program of PROBES) {
      const end = await runSealed({ argv: [...program, asked], commit, base }, scene);
      expect(JSON.parse(end.stdout).why).toBe("its answer has more than 1000 bytes");
    }
  });

  test("a service that ends at once is told apart from one that is slow", async () => {
    const made = await ProofWorld.of(
      {},
      { "server.js": "console.log('broken'); process.exit(7);" },
    );
    const outcome = await made.prove({ ...ASKED, status: 200, seconds: 20 });
    expect(outcome).toMatchObject({
      verdict: "fail",
      reason: saying("ended with 7"),
      output: "broken\n",
    });
  });

  test("a service that prints the probe's answer itself has proven nothing", async () => {
    const forged = `
      const answer = { started: true, why: "", status: 200, body: "ok", headers: {} };
      require("node:fs").writeFileSync("/proc/" + process.ppid + "/fd/1", JSON.stringify(answer));
    `;
    const made = await ProofWorld.of({}, { "server.js": forged });
    const outcome = await made.prove({ ...ASKED, status: 200, seconds: 20 });
    expect(outcome.verdict).toBe("unproven");
  });
});
