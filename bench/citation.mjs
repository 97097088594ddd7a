// Checking findings against a repository's source, against reading the same contents once.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Repository } from "../dist/repo/index.js";
import { CitationChecker } from "../dist/verify/citation/index.js";
import { FILES, FINDINGS } from "./citation-world.mjs";
import { absolute, alternate, compare, memoryAlone, runAlone, timed } from "./measure.mjs";

/** For seeing how the cost grows. */
const TIMES = 10;

export async function measure({ rounds = "7", memory = false }) {
  const folder = mkdtempSync(join(tmpdir(), "sworn-bench-citation-"));
  try {
    const world = await prepare(folder);
    if (memory) return await measureMemory(world);
    const times = await alternate(
      {
        bare: () => timed(() => readBare(world)),
        ours: () => timed(() => checkAll(world)),
      },
      { rounds: Number(rounds), warmUp: 2 },
    );
    const many = { ...world, findings: Array(TIMES).fill(world.findings).flat() };
    const growth = await alternate(
      {
        bare: async () => TIMES * (await timed(() => checkAll(world))),
        ours: () => timed(() => checkAll(many)),
      },
      { rounds: 3 },
    );
    world.repository.close();
    const name = `check ${FINDINGS} findings / read their ${FILES} files once`;
    const grown = `check ${TIMES * FINDINGS} findings / ${TIMES} times ${FINDINGS}`;
    return [
      compare({ name, ...times, most: 2 }),
      compare({ name: grown, ...growth, most: 1.1 }),
      ...memoryAlone(import.meta.url),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureMemory(world) {
  await checkAll(world);
  world.repository.close();
  const ours = process.resourceUsage().maxRSS / 1_024;
  return [absolute({ name: `peak memory, ${FINDINGS} findings`, unit: "MB", ours, most: 300 })];
}

/** Made by another process, so that what making it took is not part of this one's memory. */
async function prepare(folder) {
  const maker = fileURLToPath(new URL("citation-world.mjs", import.meta.url));
  execFileSync(process.execPath, [maker, folder]);
  const findings = JSON.parse(readFileSync(join(folder, "findings.json"), "utf8"));
  const repository = await Repository.open(folder, { env: { PATH: process.env.PATH } });
  const head = await repository.resolveCommit("main");
  const entries = new Map();
  for await (const entry of repository.listTree(head)) entries.set(entry.path, entry);
  const cited = new Set(findings.map(({ citations }) => citations[0].file));
  const ids = [...cited].flatMap((path) => entries.get(path)?.blob ?? []);
  return { folder, repository, entries, findings, ids };
}

async function checkAll({ repository, entries, findings }) {
  const reader = repository.openBlobs();
  const checker = new CitationChecker(treeOf(reader, entries));
  const counts = {};
  for (const { verdict } of await checker.checkAll(findings)) {
    counts[verdict] = (counts[verdict] ?? 0) + 1;
  }
  await reader.close();
  if (Object.keys(counts).length !== 4) throw new Error(JSON.stringify(counts));
}

function treeOf(reader, entries) {
  return {
    paths: async () => [...entries.keys()],
    find: async (path) => {
      const entry = entries.get(path);
      if (entry === undefined) return { kind: "absent" };
      const content = await reader.read(entry.blob, entry.size);
      if (content.state === "content") return { kind: "file", bytes: content.bytes, at: "head" };
      return { kind: "unreadable", why: content.state };
    },
  };
}

async function readBare({ folder, ids }) {
  const child = spawn("git", ["cat-file", "--batch"], {
    cwd: folder,
    stdio: ["pipe", "pipe", "inherit"],
  });
  let size = 0;
  child.stdout.on("data", (chunk) => {
    size += chunk.length;
  });
  child.stdin.end(`${ids.join("\n")}\n`);
  await once(child, "close");
  if (size < ids.length) throw new Error("git gave too little");
}

await runAlone(import.meta.url, measure);
