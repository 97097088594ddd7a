import { expect, onTestFinished, test } from "vitest";
import { PythonPool } from "../../../src/run/python/index.ts";
import { BwrapEngine } from "../../../src/sandbox/index.ts";
import { temporaryFolder } from "../../fake/sandbox.ts";
import { verifies } from "../../verifies.ts";
import { ProofWorld } from "./proof-world.ts";

const saying = (words: string) => expect.stringContaining(words) as string;

verifies(
  ["001-34", "001-68", "001-69"],
  "assertions judge type, value and structure of result with no file of the project in reach; behaviour is judged by somebody else",
  async () => {
    const world = await ProofWorld.of({}, { "secret.py": "value = 1\n" });
    const scene = world.scene({ result: { count: 3, names: ["add"] } });
    const verdict = async (assertion: string) =>
      (await world.prove({ kind: "python", assertion }, scene)).verdict;
    expect(await verdict("assert isinstance(result['count'], int)")).toBe("pass");
    expect(await verdict("assert isinstance(result['count'], str)")).toBe("fail");
    expect(await verdict("assert result['count'] == 3")).toBe("pass");
    expect(await verdict("assert result['count'] == 4")).toBe("fail");
    expect(await verdict("assert set(result) == {'count', 'names'}")).toBe("pass");
    expect(await verdict("assert len(result['names']) == 2")).toBe("fail");
    expect(await verdict("from secret import value\nassert result and value")).toBe("unproven");
    expect(await verdict("assert result and open('secret.py')")).toBe("unproven");
    const asked: unknown[][] = [];
    const judge = async (...question: unknown[]) => {
      asked.push(question);
      return { points: 90, pass: true, reason: "it does" };
    };
    const criterion = "GIVEN two numbers WHEN they are added THEN the sum comes back.";
    const judged = await world.prove({ kind: "judge", criterion }, { ...scene, judge });
    expect(judged.verdict).toBe("pass");
    expect(asked).toEqual([[criterion, undefined, "secret.py:1\n+value = 1"]]);
  },
);

test("an assertion that was ended, or had nothing to look at or to run it, has proven nothing", async () => {
  const world = await ProofWorld.of({}, { "a.txt": "a\n" });
  const proof = { kind: "python", assertion: "while result: pass\nassert 1" };
  const late = await world.prove(proof, { result: 1 });
  expect(late).toMatchObject({ verdict: "unproven", reason: saying("(time)") });
  const blind = await world.prove(proof, { noResult: "the worker left no output file" });
  expect(blind).toMatchObject({ verdict: "unproven", reason: saying("left no output file") });
  const root = { kind: "folder", path: temporaryFolder(), digest: "" } as const;
  const python = new PythonPool({ engine: new BwrapEngine(), root });
  onTestFinished(() => python.close());
  const nowhere = await world.prove(proof, { result: 1, python });
  expect(nowhere.verdict).toBe("unproven");
});

test("a proof about a false result carries the result, for the worker's next try", async () => {
  const world = await ProofWorld.of({}, { "a.txt": "a\n" });
  const proof = { kind: "python", assertion: "assert result['a'] == 2" };
  expect(await world.prove(proof, { result: { a: 1 } })).toMatchObject({
    verdict: "fail",
    reason: "it does not hold: result['a'] == 2",
    output: 'result = {"a":1}',
  });
});
