import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { ExecProject } from "../fake/exec-project.ts";
import { card } from "../scan/personal/people.ts";
import { verifies } from "../verifies.ts";

let at: ExecProject;
beforeEach(() => {
  at = new ExecProject();
});

const held = () => {
  const folder = join(at.state, "held");
  return existsSync(folder) ? readdirSync(folder) : [];
};
/** Leaves a file about a person among others. */
const LEAVES = [
  "sh",
  "-c",
  `cd $WORKSPACE_OUTPUT; mkdir d; echo 'card number: ${card("4539", 16)}' > d/people.txt; echo x > plain`,
];

verifies(
  "004-64",
  "flagged output is kept back until somebody else clears those bytes; then it is signed and handed over",
  async () => {
    const out = join(at.own, "result");
    const { code, stderr } = await at.run("--out", out, "--", ...LEAVES);
    const { trace, refused, waiting, manifest_path } = at.report();
    expect([code, refused.rule, waiting, existsSync(out)]).toEqual([3, "S.3", true, false]);
    expect(stderr).toContain(`waiting for a reviewer: d/people.txt`);
    const note = join(manifest_path, "..", "manifest.note");
    expect([existsSync(note), held()]).toEqual([false, [trace]]);
    expect((await at.call(["clear", trace])).stdout).toContain("d/people.txt (");
    const clear = (by: string) => at.call(["clear", trace, "--by", by, "--why", "w", "--out", out]);
    for (const name of ["operator", "policy"]) {
      const own = await clear(name);
      expect([own.code, own.stdout]).toEqual([3, expect.stringContaining("somebody else")]);
    }
    expect([existsSync(note), existsSync(out)]).toEqual([false, false]);
    expect((await clear("rita")).code).toBe(0);
    expect(readFileSync(join(out, "plain"), "utf8")).toBe("x\n");
    expect(existsSync(join(out, "d", "people.txt"))).toBe(true);
    expect([existsSync(note), held()]).toEqual([true, []]);
    expect(JSON.parse(readFileSync(manifest_path, "utf8")).policy.decision).toBe("allow");
    const { stdout } = await at.call(["verify", trace, "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ status: "pass", state: "completed" });
    expect((await clear("rita")).code).toBe(3);
    // What was cleared can be delivered, as long as it is those bytes.
    const place = join(at.own, "place");
    mkdirSync(place);
    at.write("sworn.yaml", `deliver: { shelf: { kind: folder, path: ${place}, plain: true } }\n`);
    const deliver = () => at.call(["deliver", "latest", "--out", out, "--to", "shelf"]);
    expect(await deliver()).toMatchObject({ code: 0 });
    appendFileSync(join(out, "d", "people.txt"), "more\n");
    expect(await deliver()).toMatchObject({ code: 3 });
  },
);

verifies(
  "004-64",
  "output that was changed while it waited is not cleared, and a reviewer's no takes it away",
  async () => {
    await at.run("--", ...LEAVES);
    const { trace, manifest_path } = at.report();
    const word = ["clear", trace, "--by", "rita", "--why", "w"];
    appendFileSync(join(at.state, "held", trace, "plain"), "y");
    const changed = await at.call(word);
    expect([changed.code, changed.stderr]).toEqual([4, expect.stringContaining("not the one")]);
    const { length } = readFileSync(join(at.state, "held", trace, "plain"));
    truncateSync(join(at.state, "held", trace, "plain"), length - 1);
    // The policies are asked once more: what they forbid by now, no reviewer can let through.
    const rule = '@rule("team.closed") @why("closed") @fix("wait")';
    mkdirSync(join(at.state, "policies"));
    writeFileSync(
      join(at.state, "policies", "closed.cedar"),
      `${rule}\nforbid (principal, action, resource)\nwhen { context.run.limits.pids > 0 };\n`,
    );
    const forbidden = await at.call(word);
    expect([forbidden.code, forbidden.stdout]).toEqual([3, expect.stringContaining("team.closed")]);
    expect((await at.call([...word, "--refuse"])).code).toBe(0);
    expect([held(), existsSync(join(manifest_path, "..", "manifest.note"))]).toEqual([[], false]);
    const { stdout } = await at.call(["verify", trace, "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ state: "aborted" });
    expect((await at.call(word)).code).toBe(2);
  },
);

test("what a reviewer cleared can be delivered, and no part of the runtime is a reviewer", async () => {
  const shelf = join(at.own, "shelf");
  mkdirSync(shelf);
  const sinks = { shelf: { kind: "folder", path: shelf, plain: true } };
  writeFileSync(join(at.project, "sworn.yaml"), JSON.stringify({ deliver: sinks }));
  await at.run("--", ...LEAVES);
  const { trace } = at.report();
  const out = join(at.own, "result");
  const clear = (by: string) => at.call(["clear", trace, "--by", by, "--why", "w", "--out", out]);
  for (const name of ["delivery", "checker", "binder"]) expect((await clear(name)).code).toBe(3);
  expect((await clear("rita")).code).toBe(0);
  const delivered = await at.call(["deliver", trace, "--out", out, "--to", "shelf"]);
  expect([delivered.stdout, delivered.code]).toEqual([expect.stringContaining("Delivered"), 0]);
  expect(readdirSync(shelf)).toHaveLength(1);
}, 60_000);

test("output that was cleared and could not be written can be had until it is there", async () => {
  await at.run("--", ...LEAVES);
  const { trace, manifest_path } = at.report();
  writeFileSync(join(at.own, "file"), "");
  const word = ["clear", trace, "--by", "rita", "--why", "w", "--out"];
  expect((await at.call([...word, join(at.own, "file", "below")])).code).not.toBe(0);
  // As after a crash between the record and the folder.
  const kept = join(at.own, "kept");
  cpSync(join(at.state, "held", trace), kept, { recursive: true, preserveTimestamps: true });
  expect((await at.call([...word, join(at.own, "first")])).code).toBe(0);
  cpSync(kept, join(at.state, "held", trace), { recursive: true, preserveTimestamps: true });
  rmSync(join(manifest_path, "..", "manifest.note"));
  const again = await at.call([...word, join(at.own, "again")]);
  expect([again.stderr, again.code]).toEqual(["", 0]);
  expect(readFileSync(join(at.own, "again", "plain"), "utf8")).toBe("x\n");
  expect([held(), existsSync(join(manifest_path, "..", "manifest.note"))]).toEqual([[], true]);
}, 60_000);
