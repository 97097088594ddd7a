import { expect, test } from "vitest";
import { McpPeer, serveStdio } from "../../src/mcp/index.ts";
import { FIXTURE_OFFER } from "./conformance/fixture-offer.ts";

async function said(...chunks: (string | Buffer)[]) {
  const lines: string[] = [];
  async function* input() {
    for (const chunk of chunks) yield Buffer.from(chunk);
  }
  await serveStdio(new McpPeer(FIXTURE_OFFER), input(), (line) => lines.push(line));
  expect(lines.every((line) => line.indexOf("\n") === line.length - 1)).toBe(true);
  return lines.map((line) => JSON.parse(line));
}
const ping = (id: number) => `${JSON.stringify({ jsonrpc: "2.0", id, method: "ping" })}\n`;

test("messages are answered a line each, however they are cut", async () => {
  const both = `${ping(1)}\n${ping(2)}`;
  const answers = await said(both.slice(0, 10), both.slice(10, 60), both.slice(60));
  expect(answers.map(({ id }) => id).toSorted()).toEqual([1, 2]);
});

test("rubbish is answered as such, and the next line counts", async () => {
  const answers = await said("rubbish\n", Buffer.from([0xff, 10]), ping(3));
  expect(answers.map(({ id, error }) => [id, error?.code])).toEqual([
    [null, -32700],
    [null, -32700],
    [3, undefined],
  ]);
});

test("a line without an end is not waited for, and half a line is no message", async () => {
  const answers = await said(ping(1), "x".repeat(3 << 20), ping(2));
  expect(answers.map(({ error }) => error?.code).toSorted()).toEqual([-32700, undefined]);
  expect(await said(ping(4).trimEnd())).toEqual([]);
});
