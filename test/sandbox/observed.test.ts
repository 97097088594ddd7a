import { BwrapEngine, type Engine } from "../../src/sandbox/index.ts";
import { redTeam } from "./red-team.ts";

const bwrap = new BwrapEngine();
const HOST = { kind: "host" } as const;
/** The same engine, for tasks that are watched from outside: what is not allowed stays so. */
const engine: Engine = {
  name: "bwrap",
  owner: bwrap.owner,
  examine: () => bwrap.examine(),
  prepare: (task) => bwrap.prepare({ ...task, isObserved: true }),
  reap: () => bwrap.reap(),
};
redTeam(() => ({ engine, root: HOST }));
