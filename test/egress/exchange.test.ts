import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { ByteBudget } from "../../src/egress/budget.ts";
import { exchange } from "../../src/egress/exchange.ts";
import { judgeRequest } from "../../src/egress/judge.ts";
import { refuse } from "../../src/egress/refusal.ts";
import { parseHead } from "../../src/egress/request-head.ts";
import { RuleSet } from "../../src/egress/rule.ts";
import type { Upstream, UpstreamRequest } from "../../src/egress/upstream.ts";
import { HOST, ruleFor } from "./world.ts";

test("nobody waits for upstream on behalf of a client that is gone already", async () => {
  const rules = new RuleSet([ruleFor(443)]);
  const head = parseHead(Buffer.from(`GET /left-pad HTTP/1.1\r\nHost: ${HOST}`));
  if ("refused" in head) throw new Error(head.reason);
  const origin = { scheme: "https", host: HOST, port: 443 } as const;
  const admitted = judgeRequest(head, { origin, target: head.target, named: origin }, rules);
  if ("refused" in admitted) throw new Error(admitted.reason);
  const client = new PassThrough();
  client.destroy();
  await new Promise((resolve) => client.once("close", resolve));
  const silent = {
    ask: async ({ signal }: UpstreamRequest) =>
      signal.aborted ? refuse("upstream", "cut") : new Promise<never>(() => undefined),
  } as unknown as Upstream;
  const budget = new ByteBudget({ bytesIn: 1_000, bytesOut: 1_000 });
  const input = { client, head, admitted, onProgress: () => undefined };
  const end = await exchange(input, { rules, budget, upstream: silent });
  expect(end.refusal?.refused).toBe("upstream");
});
