import { expect, test } from "vitest";
import { ask, HOST, openTls, openWorld, refusedBy, requestBytes, talk } from "./world.ts";

test("a listed path is fetched from upstream and streamed in", async () => {
  const world = await openWorld();
  const answer = await ask(world, "/left-pad");
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(answer).toContain("hello");
  expect(world.seen.map(({ method, url }) => [method, url])).toEqual([["GET", "/left-pad"]]);
});

test("a path that no rule lists is refused and never reaches upstream", async () => {
  const world = await openWorld();
  const answer = await ask(world, "/-/npm/v1/user");
  expect(refusedBy(answer)).toBe("path-not-listed");
  expect(world.seen).toEqual([]);
});

test("two requests on one connection are answered one after the other", async () => {
  const world = await openWorld();
  const first = `GET /one HTTP/1.1\r\nHost: ${HOST}:${world.port}\r\n\r\n`;
  const answer = await talk(await openTls(world), first + requestBytes(world, "/two"));
  expect(answer.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
  expect(world.seen.map(({ url }) => url)).toEqual(["/one", "/two"]);
});
