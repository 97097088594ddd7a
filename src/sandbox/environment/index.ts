export { type BuildOptions, buildEnvironment } from "./build.ts";
export { type Detection, detectEnvironment, type EnvironmentHints } from "./detect.ts";
export {
  environmentsFolder,
  type LockedEnvironment,
  readLocked,
  rootFolder,
  writeLocked,
} from "./environment-lock.ts";
export { type OpenedEnvironment, openEnvironment } from "./open.ts";
export { BUILDABLE, type Buildable, packagesOf, TASK_USER } from "./recipe.ts";
