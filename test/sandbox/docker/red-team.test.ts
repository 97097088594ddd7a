import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, cpSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { importFolder } from "../../../src/sandbox/docker/image.ts";
import { DockerEngine } from "../../../src/sandbox/docker/index.ts";
import type { RootFiles } from "../../../src/sandbox/engine.ts";
import { redTeam } from "../red-team.ts";
import { busyboxRoot, daemonForFile } from "./daemon.ts";

const file = daemonForFile();
let engine: DockerEngine;
let root: RootFiles;

/** Busybox, and perl with what it needs: the language that attacks are written in here. */
beforeAll(async () => {
  const { folder, client, socket } = file.daemon;
  const files = busyboxRoot(folder);
  const modules = execFileSync("perl", ["-MSocket", "-e", "print join qq(\\n), @INC, values %INC"]);
  const base =
    modules
      .toString()
      .split("\n")
      .find((path) => path.endsWith("/perl-base")) ?? "";
  const shared = execFileSync("ldd", ["/usr/bin/perl"]).toString();
  const libraries = [...shared.matchAll(/(\/\S+) \(0x/g)].map((match) => match[1] ?? "");
  for (const path of ["/usr/bin/perl", ...libraries]) {
    mkdirSync(join(files, dirname(path)), { recursive: true });
    copyFileSync(path, join(files, path));
  }
  chmodSync(join(files, "usr/bin/perl"), 0o755);
  cpSync(base, join(files, base), { recursive: true });
  const image = await importFolder(client, files);
  root = { kind: "image", id: image, digest: image };
  engine = new DockerEngine({ host: `unix://${socket}`, state: join(folder, "state") });
});

redTeam(() => ({ engine, root }));

test("the engine goes on after all of it", async () => {
  expect(await engine.examine()).toEqual([]);
});
