import { describe, expect, test } from "vitest";
import { type ResultSource, resultFor } from "../../../src/run/proof/index.ts";
import { WorkProof } from "../../../src/schema/work-proof.ts";
import { ProofWorld } from "./proof-world.ts";

const subtask = (type: ResultSource["type"], more: Partial<ResultSource> = {}): ResultSource => ({
  type,
  output_schema: { path: "the file", count: "how many" },
  proofs: [],
  ...more,
});
const jsonProof = (path: string) =>
  WorkProof.parse({ kind: "json", path, pointer: "", equals: null });

describe("what the worker says", () => {
  test("is its output file, and of that the declared keys alone", async () => {
    const scene = (await ProofWorld.of({}, {})).scene();
    const said = '{"path":"a","extra":1,"toString":2}';
    expect(await resultFor(subtask("CODE"), scene, said)).toEqual({ result: { path: "a" } });
    expect(await resultFor(subtask("DOCS"), scene, undefined)).toHaveProperty("why");
    for (const odd of ["[1]", "no", '{"path":1,"path":2}']) {
      expect(await resultFor(subtask("CODE"), scene, odd)).toHaveProperty("why");
    }
  });
});

describe("what we look at ourselves", () => {
  test("a settings file is as the commit has it, whatever the worker says", async () => {
    const files = { "a.json": '{"port":1}', "b.yaml": "x: [1, two]\n", "c.txt": "text" };
    const scene = (await ProofWorld.of({}, files)).scene();
    const one = subtask("CONFIG", { proofs: [jsonProof("a.json")], files: ["c.txt"] });
    expect(await resultFor(one, scene, '{"path":"lie"}')).toEqual({ result: { port: 1 } });
    const several = subtask("CONFIG", { files: ["a.json", "b.yaml", "c.txt", "d.json", "src/"] });
    expect(await resultFor(several, scene, undefined)).toEqual({
      result: {
        "a.json": { port: 1 },
        "b.yaml": { x: [1, "two"] },
        "c.txt": "text",
        "d.json": null,
      },
    });
    expect(await resultFor(subtask("CONFIG"), scene, "{}")).toHaveProperty("why");
  });

  test("a file that multiplies itself is no fact", async () => {
    const bomb = `a: &a [1,2,3,4,5,6,7,8,9]\n${"bcdefgh"
      .split("")
      .map((name, at) => `${name}: &${name} [${`*${"abcdefg"[at]},`.repeat(9)}]`)
      .join("\n")}\n`;
    const scene = (await ProofWorld.of({}, { "a.yaml": bomb })).scene();
    const one = subtask("CONFIG", { files: ["a.yaml"] });
    expect(await resultFor(one, scene, undefined)).toHaveProperty("why");
  });

  test("a service is asked, and its answer is the result", async () => {
    const server =
      'require("node:http").createServer((_, r) => { r.setHeader("x-a", "b"); r.end(\'{"ok":true}\'); }).listen(8080);';
    const scene = (await ProofWorld.of({}, { "server.js": server })).scene();
    const http = { kind: "http", start: ["node", "server.js"], port: 8080, path: "/", status: 200 };
    const one = subtask("INFRA", { proofs: [WorkProof.parse(http)] });
    const fact = await resultFor(one, scene, '{"status":500}');
    expect(fact).toMatchObject({
      result: {
        started: true,
        status: 200,
        body: '{"ok":true}',
        json: { ok: true },
        headers: { "x-a": "b" },
      },
    });
    expect(await resultFor(subtask("INFRA"), scene, "{}")).toHaveProperty("why");
  });
});
