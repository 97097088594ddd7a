/** The caller's environment variables; of these only a few reach git. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * What git needs from the outside: where programs and the user's own configuration are. Everything
 * else stays behind, above all GIT_DIR, GIT_INDEX_FILE, GIT_EXTERNAL_DIFF and GIT_CONFIG_PARAMETERS,
 * with which whoever set them would decide what we read.
 */
const PASSED_ON = ["PATH", "HOME", "XDG_CONFIG_HOME", "TMPDIR", "GIT_CEILING_DIRECTORIES"];

const FIXED = {
  LC_ALL: "C",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_ATTR_NOSYSTEM: "1",
  GIT_TERMINAL_PROMPT: "0",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_NO_LAZY_FETCH: "1",
  // A replacement reference would show us another content under the same id.
  GIT_NO_REPLACE_OBJECTS: "1",
  // Unlike protocol.allow this cannot be overruled by protocol.ext.allow in the repository, and git
  // before 2.44 does not know GIT_NO_LAZY_FETCH: a missing object would start a program named there.
  GIT_ALLOW_PROTOCOL: "none",
  GIT_ASKPASS: "false",
  SSH_ASKPASS: "false",
  GIT_EDITOR: "false",
  GIT_PAGER: "cat",
};

/** The keys of a repository's own configuration through which git would start a program. */
const OVERRULED = [
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
  "core.attributesFile=/dev/null",
  "core.excludesFile=/dev/null",
  "core.pager=cat",
  "core.editor=false",
  "core.askPass=false",
  "core.sshCommand=false",
  "core.gitProxy=false",
  "core.alternateRefsCommand=false",
  "credential.helper=",
  "diff.external=",
  "gpg.program=false",
  "gpg.ssh.program=false",
  "gpg.x509.program=false",
  "log.showSignature=false",
  "protocol.allow=never",
  "submodule.recurse=false",
  "fetch.recurseSubmodules=false",
  "maintenance.auto=false",
  "gc.auto=0",
];

/** The environment of every git process: nothing that the caller did not name is in it. */
export function gitEnvironment(outer: Environment, more: Environment = {}): NodeJS.ProcessEnv {
  const passed = PASSED_ON.map((name) => [name, outer[name]] as const);
  const env: Record<string, string | undefined> = {
    ...Object.fromEntries(passed),
    ...FIXED,
    ...more,
  };
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined));
}

/** The arguments before the command's name. Aliases need none: git's own commands come first. */
export function gitGlobalArguments(): string[] {
  return ["--no-pager", "--literal-pathspecs", ...OVERRULED.flatMap((pair) => ["-c", pair])];
}
