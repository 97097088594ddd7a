// What it costs to see every program of a sandbox: the same tasks with strace in front and without.
import { execute } from "../dist/run/index.js";
import { BwrapEngine } from "../dist/sandbox/index.js";
import { Limits } from "../dist/schema/execution.js";
import { alternate, compare, runAlone, timed } from "./measure.mjs";

const LIMITS = Limits.parse({});
const TASKS = [
  { name: "observed: true", script: "true", most: 2 },
  {
    name: "observed: 200 programs one after the other",
    script: "i=0; while [ $i -lt 200 ]; do /bin/true; i=$((i + 1)); done",
    most: 3,
  },
  {
    name: "observed: 200 copies of a shell that start nothing",
    script: "i=0; while [ $i -lt 200 ]; do (read x; read y) < /etc/passwd; i=$((i + 1)); done",
    most: 3,
  },
  {
    name: "observed: 20,000 files opened and read",
    script: 'perl -e \'for (1 .. 20000) { open(my $f, "<", "/etc/passwd"); my $x = <$f> }\'',
    most: 1.5,
  },
];

export async function measure({ rounds = "15" }) {
  const engine = new BwrapEngine();
  const rows = [];
  for (const { name, script, most } of TASKS) {
    const times = await alternate(
      {
        bare: () => timed(() => run(engine, script, false)),
        ours: () => timed(() => run(engine, script, true)),
      },
      { rounds: Number(rounds), warmUp: 2 },
    );
    rows.push(compare({ name: `${name} / unobserved`, ours: times.ours, bare: times.bare, most }));
  }
  return rows;
}

let count = 0;

async function run(engine, script, isObserved) {
  count += 1;
  const prepared = await engine.prepare({
    id: `bench-observe-${count}`,
    root: { kind: "host" },
    argv: ["sh", "-c", script],
    cwd: "/",
    env: { PATH: "/usr/bin:/bin" },
    mounts: [],
    limits: LIMITS,
    isObserved,
  });
  const { signal } = new AbortController();
  const ran = await execute(prepared, { limits: LIMITS, signal, onOutput: () => {} });
  prepared.release();
  if (ran.kind !== "ran" || ran.end.code !== 0) throw new Error(`${script} did not end well`);
  if (isObserved && (ran.observed?.gaps.length ?? 1) > 0) throw new Error("not all of it was seen");
}

await runAlone(import.meta.url, measure);
