import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { importFolder } from "../../../src/sandbox/docker/image.ts";
import { DockerEngine } from "../../../src/sandbox/docker/index.ts";
import type { RootFiles } from "../../../src/sandbox/engine.ts";
import { verifies } from "../../verifies.ts";
import { redTeam, writesNowhereElse } from "../red-team.ts";
import { daemonForFile } from "./daemon.ts";
import { perlRoot } from "./perl-root.ts";

const file = daemonForFile();
let engine: DockerEngine;
let root: RootFiles;

beforeAll(async () => {
  const { folder, client, socket } = file.daemon;
  const image = await importFolder(client, perlRoot(folder));
  root = { kind: "image", id: image, digest: image };
  engine = new DockerEngine({ host: `unix://${socket}`, state: join(folder, "state") });
});

verifies("004-36", "nothing outside of its folders can be written to", () =>
  writesNowhereElse({ engine, root }),
);

redTeam(() => ({ engine, root }));

test("the engine goes on after all of it", async () => {
  expect(await engine.examine()).toEqual([]);
});
