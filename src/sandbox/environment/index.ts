export { type BuildOptions, buildEnvironment } from "./build.ts";
export { type Detection, detectEnvironment, type EnvironmentHints } from "./detect.ts";
export {
  environmentsFolder,
  type LockedEnvironment,
  readLocked,
  rootFolder,
} from "./environment-lock.ts";
export { type OpenedEnvironment, openEnvironment } from "./open.ts";
export { BUILDABLE, type Buildable, packagesOf } from "./recipe.ts";
