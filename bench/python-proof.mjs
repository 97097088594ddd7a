// What a python assertion costs in the sealed pool, against the least that it can cost: a warm
// interpreter with the same modules, on the host, that forks one process which does nothing at all,
// buries it, and says so. Both are asked one at a time, over a pipe or a socket.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { PythonPool } from "../dist/run/python/index.js";
import { BwrapEngine } from "../dist/sandbox/index.js";
import { alternate, compare, runAlone, timed } from "./measure.mjs";

const EACH = 100;
const BARE = `
import ast, ctypes, gc, json, os, resource, select, socket, struct, sys, time
gc.collect()
gc.freeze()
while os.read(0, 1):
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
    os.write(1, b"d")
`;
const RESULT = { path: "src/add.ts", count: 3, names: ["add", "sub"] };
const ASSERTION = "assert result['count'] == 3 and 'add' in result['names']";

export async function measure({ rounds = "21" }) {
  const pool = new PythonPool({ engine: new BwrapEngine(), root: { kind: "host" }, width: 1 });
  const bare = spawn("/usr/bin/python3", ["-I", "-c", BARE], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  try {
    const times = await alternate(
      {
        bare: () =>
          timed(async () => {
            for (let at = 0; at < EACH; at += 1) {
              bare.stdin.write("a");
              await once(bare.stdout, "data");
            }
          }),
        ours: () =>
          timed(async () => {
            for (let at = 0; at < EACH; at += 1) {
              const { kind } = await pool.judge(ASSERTION, RESULT);
              if (kind !== "holds") throw new Error(`the assertion ${kind}`);
            }
          }),
      },
      { rounds: Number(rounds), warmUp: 2 },
    );
    return [
      compare({
        name: "python assertion / bare fork of a warm interpreter",
        ...times,
        per: EACH,
        most: 3,
      }),
    ];
  } finally {
    bare.stdin.end();
    await Promise.all([once(bare, "exit"), pool.close()]);
  }
}

await runAlone(import.meta.url, measure);
