import { expect, test } from "vitest";
import { parse } from "yaml";
import { PROMPTS } from "../../src/mcp/prompts.ts";
import { TEMPLATES } from "../../src/mcp/resources.ts";
import { verbTools } from "../../src/mcp/verb-tools.ts";
import { Config } from "../../src/schema/config.ts";
import { TOOLING } from "../../src/schema/execution.ts";
import { blocksOf, read } from "./markdown.ts";

const guide = read("docs/guides/mcp.md");
const blockIn = (language: string): string =>
  blocksOf(guide)
    .find((block) => block.language === language)
    ?.lines.join("\n") ?? "";

test("the guide names every tool and prompt, and no other", () => {
  const rows = [...guide.matchAll(/^\| (`.*?) \|/gm)].map(([, cell = ""]) => cell);
  const named = rows.flatMap((cell) => [...cell.matchAll(/`([a-z_]+)`/g)].map(([, name]) => name));
  expect(named.toSorted()).toEqual(
    verbTools()
      .map(({ name }) => name)
      .toSorted(),
  );
  const prompts = /Prompts: ([^.]+)\./.exec(guide)?.[1]?.replaceAll("`", "").split(/,\s+/);
  expect(prompts).toEqual(PROMPTS.map(({ name }) => name));
  for (const { uriTemplate } of TEMPLATES) expect(guide).toContain(uriTemplate);
  expect(guide).toContain(`\`${TOOLING.socket}\``);
});

test("the configurations that it shows are taken", () => {
  expect(JSON.parse(blockIn("json"))).toMatchObject({
    mcpServers: { sworn: { command: "sworn" } },
  });
  const { agents } = Config.parse(parse(blockIn("yaml")));
  expect(Object.keys(agents ?? {})).toEqual(["reviewer", "coder"]);
});
