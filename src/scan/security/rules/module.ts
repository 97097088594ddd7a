/** Modules that give access to the contents of archives. */
export const ARCHIVE_MODULE = /zip|yauzl|\btar\b|tarfile|archive|decompress|extract|unrar|7z/i;

/** Functions that run a text as code, by their full names. */
export const RUNNING_CONTEXTS = [
  "runInContext",
  "runInNewContext",
  "runInThisContext",
  "compileFunction",
  "Script",
].map((name) => `vm.${name}`);

/** Modules that stand in for another one with the same functions. */
const ALIASES = new Map([
  ["fs/promises", "fs"],
  ["fs-extra", "fs"],
  ["graceful-fs", "fs"],
  ["mz/fs", "fs"],
  ["mz/child_process", "child_process"],
  ["child-process-promise", "child_process"],
  ["cross-spawn", "child_process"],
  ["child-process-es6-promise", "child_process"],
  ["path/posix", "path"],
  ["cPickle", "pickle"],
  ["_pickle", "pickle"],
  ["dill", "pickle"],
  ["cloudpickle", "pickle"],
  ["ruamel.yaml", "yaml"],
  ["js-yaml", "yaml"],
  ["request-promise", "request"],
  ["request-promise-native", "request"],
  ["node-fetch", "fetch"],
  ["cross-fetch", "fetch"],
  ["urllib2", "urllib.request"],
  ["lodash.template", "lodash.template"],
]);

/** The name under which rules know a module. */
export function moduleName(written: string): string {
  const name = written.replace(/^node:/, "");
  return ALIASES.get(name) ?? name;
}
