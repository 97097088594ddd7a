import { expect, test } from "vitest";
import { lockfileRules, type RegistryRules } from "../../src/egress/index.ts";
import { ask, HOST, openWorld, refusedBy, ruleFor } from "./world.ts";

const NPM = ruleFor(443, { base: "/npm", setHeaders: { authorization: "Bearer held-outside" } });
const TEAM = ruleFor(443, { name: "npm @team", host: "team.example.org", base: "" });
const REGISTRY: RegistryRules = { rules: [NPM, TEAM], env: {}, files: {} };

const lockOf = (packages: object) =>
  JSON.stringify({ name: "x", lockfileVersion: 3, packages: { "": { name: "x" }, ...packages } });

const pathsOf = (packages: object) => {
  const { rules, unserved } = lockfileRules(lockOf(packages), REGISTRY);
  return { paths: rules.map(({ exactPaths }) => [...(exactPaths ?? [])]), unserved, rules };
};

test("a pinned package allows its tarball, and its description where the lockfile has no address", () => {
  const { paths, unserved, rules } = pathsOf({
    "node_modules/left-pad": { version: "1.3.0" },
    "node_modules/a/node_modules/@types/node": { version: "20.1.0" },
    "node_modules/b": { version: "2.0.0", resolved: `https://${HOST}/npm/b/-/b-2.0.0.tgz` },
    "node_modules/c": { version: "3.0.0", resolved: "https://other.example.net/c/-/c-3.0.0.tgz" },
    "node_modules/@team/tool": { version: "1.0.0-rc.1+build" },
  });
  expect(paths).toEqual([
    [
      "/npm/left-pad",
      "/npm/left-pad/-/left-pad-1.3.0.tgz",
      "/npm/@types/node",
      "/npm/@types%2fnode",
      "/npm/@types/node/-/node-20.1.0.tgz",
      "/npm/b/-/b-2.0.0.tgz",
      "/npm/c/-/c-3.0.0.tgz",
    ],
    ["/@team/tool", "/@team%2ftool", "/@team/tool/-/tool-1.0.0-rc.1+build.tgz"],
  ]);
  expect(unserved).toEqual([]);
  expect(rules.every((rule) => rule.paths.length === 0)).toBe(true);
  expect(rules[0]?.setHeaders).toEqual(NPM.setHeaders);
});

test("an alias allows the package it stands for", () => {
  const { paths } = pathsOf({ "node_modules/alias": { name: "real", version: "1.0.0" } });
  expect(paths[0]).toContain("/npm/real/-/real-1.0.0.tgz");
});

test("what lies in the project or in another package asks for nothing", () => {
  const { paths, unserved } = pathsOf({
    "packages/tool": { version: "1.0.0" },
    "node_modules/tool": { resolved: "packages/tool", link: true },
    "node_modules/bundled": { version: "1.0.0", inBundle: true },
    "node_modules/local": { version: "1.0.0", resolved: "file:local.tgz" },
  });
  expect(paths).toEqual([[], []]);
  expect(unserved).toEqual([]);
});

test("a lockfile names no host: what no configured registry serves is listed as unserved", () => {
  const { paths, unserved } = pathsOf({
    "node_modules/a": { version: "1.0.0", resolved: "git+ssh://git@git.example.net/a.git#1" },
    "node_modules/b": { version: "1.0.0", resolved: "https://evil.example.net/steal?x=1" },
    "node_modules/c": { version: "1.0.0", resolved: "https://evil.example.net/other.tgz" },
    "node_modules/g": { version: "1.0.0", resolved: "https://evil.example.net/npm/other" },
    "node_modules/h": { version: "1.0.0", resolved: `http://${HOST}/npm/h/other` },
    "node_modules/../../etc": { version: "1.0.0" },
    "node_modules/d": { version: "../../x" },
    "node_modules/e": { version: "1.0.0", resolved: `https://${HOST}/admin/e` },
    "node_modules/f": { version: "1.0.0", resolved: `https://${HOST}/npm/../admin` },
  });
  expect(paths).toEqual([[], []]);
  expect(unserved).toEqual(["a", "b", "c", "g", "h", "../../etc", "d", "e", "f"]);
});

test("a file that is no lockfile of version 2 or 3 is refused with what to do", () => {
  for (const text of ['{"lockfileVersion":1,"dependencies":{}}', "{}", "[]"]) {
    expect(() => lockfileRules(text, REGISTRY)).toThrow(/lockfileVersion 2 or 3/);
  }
  expect(() => lockfileRules("not json", REGISTRY)).toThrow(/not JSON/);
});

test("behind a lockfile only what it pins can be asked for", async () => {
  const { rules } = pathsOf({
    "node_modules/left-pad": { version: "1.3.0" },
    "node_modules/@types/node": { version: "20.1.0" },
  });
  const [{ exactPaths } = {}] = rules;
  const world = await openWorld({ rules: [{ paths: [], ...(exactPaths && { exactPaths }) }] });
  for (const path of ["/npm/left-pad/-/left-pad-1.3.0.tgz", "/npm/@types%2Fnode"]) {
    expect([path, (await ask(world, path)).slice(0, 12)]).toEqual([path, "HTTP/1.1 200"]);
  }
  for (const path of ["/npm/left-pad/-/left-pad-1.3.1.tgz", "/npm/right-pad", "/npm/@types", "/"]) {
    expect([path, refusedBy(await ask(world, path))]).toEqual([path, "path-not-listed"]);
  }
});

test("of its registry a lockfile chooses a package's own archives, and nothing else", () => {
  const at = (path: string) => ({ version: "1.0.0", resolved: `https://${HOST}/npm/${path}` });
  const { paths, unserved } = pathsOf({
    "node_modules/a": at("-/whoami"),
    "node_modules/b": at("-/npm/v1/user"),
    "node_modules/c": at("lodash"),
    "node_modules/d": at("lodash/-/lodash-1.0.0.tgz"),
    "node_modules/e": at("e/-/x/e-1.0.0.tgz"),
    "node_modules/f": at("f/-/f-1.0.0.tgz"),
  });
  expect(paths[0]).toEqual(["/npm/f/-/f-1.0.0.tgz"]);
  expect(unserved).toEqual(["a", "b", "c", "d", "e"]);
});
