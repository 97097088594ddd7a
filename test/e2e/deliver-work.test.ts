import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sworn } from "../fake/child.ts";
import { temporaryFolder } from "../fake/sandbox.ts";
import { doneWork, git } from "../flow/deliver/task/delivery-world.ts";

test("a work is delivered from the command line, and a stranger verifies its packet", async () => {
  const done = await doneWork();
  const here = { project: done.path, state: join(done.home, "state") };
  const { code, out } = await sworn(here, ["deliver", done.work, "--json"]);
  expect(code).toBe(0);
  const { status, packet, where } = JSON.parse(out);
  expect([status, where]).toEqual(["sent", `branch sworn/delivered/${done.work}`]);
  expect(git(done, "rev-parse", `sworn/delivered/${done.work}`)).toBe(done.commit);
  // The stranger has the file and nothing else: no store, no keys.
  const folder = temporaryFolder();
  const stranger = { project: folder, state: join(folder, "none") };
  const file = join(folder, "it.packet.tar");
  writeFileSync(file, readFileSync(packet.path));
  rmSync(done.home, { recursive: true, force: true });
  const good = await sworn(stranger, ["verify", "it.packet.tar"]);
  expect([good.code, good.out]).toEqual([0, expect.stringContaining("PASS")]);
  mkdirSync(join(folder, "unpacked"));
  execFileSync("tar", ["-xf", file, "-C", join(folder, "unpacked")]);
  const unpacked = await sworn(stranger, ["verify", "unpacked"]);
  expect([unpacked.code, unpacked.out]).toEqual([0, good.out]);
  expect(existsSync(stranger.state)).toBe(false);
  const bytes = readFileSync(file);
  const at = bytes.indexOf("ST-01\n");
  bytes[at] = 0x53 ^ 1;
  writeFileSync(file, bytes);
  const bad = await sworn(stranger, ["verify", "it.packet.tar", "--json"]);
  expect(bad.code).toBe(4);
  expect(JSON.parse(bad.out)).toMatchObject({ kind: "packet", status: "fail" });
});

test("a delivered branch is verified by its name: its packet, and that it is still of that commit", async () => {
  const done = await doneWork();
  const here = { project: done.path, state: join(done.home, "state") };
  const { packet } = JSON.parse((await sworn(here, ["deliver", done.work, "--json"])).out);
  const branch = `sworn/delivered/${done.work}`;
  const held = await sworn(here, ["verify", branch]);
  expect([held.code, held.out]).toEqual([0, expect.stringMatching(/^PASS.*\nbranch sworn\//s)]);
  expect(held.out).toContain(", your own key");
  const told = await sworn(here, ["verify", branch, "--json"]);
  expect(JSON.parse(told.out)).toMatchObject({ branch: { name: branch, commit: done.commit } });
  // Somebody adds to it afterwards: the packet still holds, and the branch is not what it is of.
  const more = git(done, "commit-tree", `${branch}^{tree}`, "-p", branch, "-m", "More");
  git(done, "update-ref", `refs/heads/${branch}`, more);
  const moved = await sworn(here, ["verify", branch]);
  expect([moved.code, moved.out]).toEqual([
    4,
    expect.stringContaining(`is at ${more}, the packet`),
  ]);
  expect(JSON.parse((await sworn(here, ["verify", branch, "--json"])).out).status).toBe("fail");
  rmSync(packet.path);
  const gone = await sworn(here, ["verify", branch]);
  expect(gone.code).toBe(2);
  expect(gone.err).toContain(`.sworn/work/${done.work}/${done.work}.packet.tar`);
  expect(gone.err).toContain(`"sworn deliver ${done.work}" makes the packet again`);
  const other = await sworn(here, ["verify", "main"]);
  expect([other.code, other.err]).toEqual([2, expect.stringContaining("sworn ci --head main")]);
  const none = await sworn(here, ["verify", "nothing-of-that-name"]);
  expect([none.code, none.err]).toEqual([2, expect.stringContaining("there is no file")]);
});

test("a place that is not listed exits 3, and a run without --out exits 2", async () => {
  const done = await doneWork();
  const here = { project: done.path, state: join(done.home, "state") };
  const refused = await sworn(here, ["deliver", done.work, "--to", "elsewhere", "--send"]);
  expect([refused.code, refused.out + refused.err]).toEqual([
    3,
    expect.stringContaining("Refused by U.2: elsewhere is not listed"),
  ]);
  const wrong = await sworn(here, ["deliver", "latest", "--to", "branch"]);
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining("--out is missing")]);
});
