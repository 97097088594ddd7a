export { BwrapEngine } from "./bwrap/bwrap.ts";
export type {
  Control,
  Engine,
  EngineRefusal,
  Mount,
  Prepared,
  RootFiles,
  Task,
  TaskEnd,
} from "./engine.ts";
