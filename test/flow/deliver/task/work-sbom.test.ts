import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findExecEnvironment } from "../../../../src/flow/exec/exec-environment.ts";
import { type Act, planOf, subtask, WorkWorld } from "../../work/work-world.ts";
import { judged, membersOf, pack } from "./delivery-world.ts";

const LOCK = {
  name: "app",
  lockfileVersion: 3,
  packages: {
    "": { name: "app" },
    "node_modules/left-pad": { version: "1.3.0", license: "WTFPL" },
  },
};

/** A work whose worker leaves these files, proven in some environment, and its packet. */
async function packedWith(files: Record<string, string>, environment?: string) {
  const act: Act = () => ({
    files: { "st-01.txt": "x\n", ...files },
    output: { path: "st-01.txt" },
  });
  const world = await WorkWorld.open(act);
  const { report } = await world.run(planOf([subtask("ST-01")]), { profile: "solo", environment });
  const { place, repository } = world;
  const packed = await pack({ place, repository, work: report.work });
  const page = readFileSync(join(packed.folder, "PACKET.md"), "utf8");
  const bytes = membersOf(packed.tar).get("sbom.spdx.json");
  const names = (JSON.parse(bytes?.toString() ?? '{"packages":[]}') as Spdx).packages.map(
    ({ name }) => name,
  );
  return { packed, page, bytes, names, world };
}

interface Spdx {
  readonly packages: { readonly name: string; readonly versionInfo?: string }[];
}

const hostReference = async (state: string) =>
  (await findExecEnvironment("host", "bwrap", state)).reference;

test("a packet whose files pin packages lists them, and those of the environment used", async () => {
  const reference = await hostReference("/nowhere");
  const lock = { "app/package-lock.json": JSON.stringify(LOCK) };
  const { packed, page, bytes, names, world } = await packedWith(lock, reference);
  expect((await judged(packed.tar)).status).toBe("pass");
  const document = JSON.parse(bytes?.toString() ?? "");
  expect(document).toMatchObject({ spdxVersion: "SPDX-2.3", name: "host" });
  expect(document.packages[0]).toMatchObject({ versionInfo: reference.slice("host@".length) });
  expect(names).toContain("left-pad");
  expect(names).toContain("bash");
  expect(page).toContain("1 package pinned by app/package-lock.json");
  expect(page).toContain(`packages of the environment ${reference}`);
  const { place, repository } = world;
  const again = await pack({ place, repository, work: packed.head.work });
  expect(again.digest).toBe(packed.digest);
});

test("an environment that is another one by now is not listed in place of the one used", async () => {
  const old = `host@sha256:${"0".repeat(64)}`;
  const { page, names } = await packedWith({ "go.sum": "" }, old);
  expect(names).toEqual(["host"]);
  expect(page).toContain(`of the environment nothing: ${old} has changed since`);
});

test("binaries make a list due, plain text does not, and what is not read is named", async () => {
  const plain = await packedWith({});
  expect([plain.bytes, plain.page]).toEqual([undefined, expect.stringContaining("none is due")]);
  const binary = await packedWith({ "tool.bin": "\u0000\u0001\u0002" });
  expect(binary.names).toEqual(["unknown"]);
  expect(binary.page).toContain("the record does not say which it was");
  const yarn = await packedWith({ "yarn.lock": "# yarn\n" });
  expect(yarn.page).toContain("yarn.lock is of a kind that is not read");
});

test("a lockfile that cannot be read keeps the packet from being made", async () => {
  await expect(packedWith({ "package-lock.json": "{" })).rejects.toThrow();
});
