import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../src/base/index.ts";
import { preparePull } from "../../src/flow/exec/pull-phase.ts";
import { temporaryFolder } from "../fake/sandbox.ts";

test("cargo finds the user's registry in its home, where it can be told of it alone", async () => {
  const home = temporaryFolder();
  mkdirSync(join(home, ".cargo"));
  writeFileSync(
    join(home, ".cargo/config.toml"),
    '[source.crates-io]\nreplace-with = "own"\n[source.own]\nregistry = "sparse+https://registry.example.org/crates/"\n',
  );
  const folder = temporaryFolder();
  const options = {
    kinds: ["cargo"] as const,
    installs: false,
    env: {},
    home,
    jobSeconds: 60,
    clock: systemClock,
  };
  const pull = await preparePull(folder, options);
  onTestFinished(() => pull.close());
  const given = readFileSync(join(folder, "home/.cargo/config.toml"), "utf8");
  expect(given).toContain("sparse+https://registry.example.org/crates/");
  const [shell, , script = ""] = pull.command(["true"], "").argv;
  expect([shell, script.split("\n")[0]]).toEqual([
    "sh",
    `cp -R '/run/sworn/egress/home/.' "$HOME/" || exit 125`,
  ]);
});
