import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { namespaceProblems } from "../../src/sandbox/bwrap/namespace-problems.ts";
import { temporaryFolder } from "../fake/sandbox.ts";

const DIST = resolve(import.meta.dirname, "../../dist");

test("a machine that forbids user namespaces is named before anything runs, with the setting", () => {
  const script = join(temporaryFolder(), "script.mjs");
  writeFileSync(
    script,
    `import { BwrapEngine } from "${DIST}/sandbox/index.js";
    console.log(JSON.stringify(await new BwrapEngine().examine()));`,
  );
  // The setting belongs to the namespace that it is written in, and ends with it.
  const inside =
    'echo 0 > /proc/sys/user/max_user_namespaces && exec setpriv --ambient-caps=-all --inh-caps=-all "$@"';
  const args = ["--user", "--map-user=1000", "--map-group=1000", "--keep-caps", "--"];
  const command = ["sh", "-c", inside, "sh", process.execPath, script];
  const { stdout, stderr } = spawnSync("unshare", [...args, ...command], { encoding: "utf8" });
  expect([stderr, JSON.parse(stdout)]).toEqual([
    "",
    expect.arrayContaining([
      {
        control: "namespaces",
        reason: expect.stringMatching(
          /^bubblewrap cannot make namespaces here \(.+\); user\.max_user_namespaces is 0; allow it/s,
        ),
      },
    ]),
  ]);
});

test("where they can be made there is nothing to say", async () => {
  expect(await namespaceProblems(undefined)).toEqual([]);
});
