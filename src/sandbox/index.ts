export { BwrapEngine } from "./bwrap/bwrap.ts";
export { isObservable } from "./bwrap/observer.ts";
export { DEFAULT_SOCKET } from "./docker/engine-address.ts";
export { STATUS_BYTES } from "./elf.ts";
export type {
  Control,
  Engine,
  EngineRefusal,
  HostOwner,
  Mount,
  Prepared,
  ProcessTrace,
  RootFiles,
  Task,
  TaskEnd,
  Usage,
} from "./engine.ts";
export { openEnvironment } from "./environment/index.ts";
export { GO } from "./launcher.ts";
export { isOwnerGone, ownerOf } from "./run-owner.ts";
