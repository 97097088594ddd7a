import { INNER, PART, type Value } from "../engine/value.ts";
import { type Call, isFalse, optionOf, type Rule } from "../rule.ts";
import { executionLevel, isWorked } from "./level.ts";

/** `spawn` without a shell takes its arguments as they are; with one it is like `exec`. */
const usesShell = (call: Call): boolean =>
  !isFalse(optionOf(call, "shell")) ||
  call.args.some(({ members }) => members?.get("shell")?.text === "true");

/** `sh -c` and its like run whatever text follows. */
const isShellCall = (call: Call): boolean =>
  /(?:^|\/)(?:sh|bash|zsh|cmd|cmd\.exe|powershell|powershell\.exe)$/i.test(
    call.args[0]?.text ?? "",
  ) && (call.args[1]?.words ?? []).some((word) => /^(?:-c|-lc|\/c|\/C|-Command)$/.test(word));

const SPAWNS = ["spawn", "spawnSync", "execFile", "execFileSync"].map(
  (name) => `child_process.${name}`,
);

/** Functions of other files that run a command, by their name. */
const RUNNING_NAME =
  /^_?(?:run|do|async|promise|git)?_?(?:exec|execute|shell|sh|command|cmd)(?:Command|Cmd|Shell|Sync|Async|Promise|P)?$/i;

const isOwnRunner = ({ api, isLocal }: Call): boolean =>
  !isLocal && !/^child_process\.|^re\.|^\?\.exec$/.test(api);

/** The name of a program, a space, and then what comes from outside. */
const isCommand = ({ text, flows }: Value): boolean =>
  /^[\w./-]{2,40} /.test(text ?? "") && flows.some(({ shape }) => (shape & INNER) !== 0);

/** The same with a program that everybody knows, for functions that can run anything. */
const namesProgram = (value: Value): boolean =>
  isCommand(value) && PROGRAM.test((value.text ?? "").slice(0, 40));
const PROGRAM =
  /^(?:sudo |\S*\/)?(?:git|hg|svn|npm|npx|yarn|pnpm|node|docker|kubectl|ffmpeg|ffprobe|convert|identify|magick|tar|zip|unzip|7z|curl|wget|ssh|scp|rsync|cp|mv|rm|mkdir|chmod|chown|kill|pkill|taskkill|ps|lsof|netstat|ping|arp|ifconfig|iptables|iwlist|nmcli|netsh|wmic|reg|powershell|cmd|bash|sh|apt|apt-get|brew|openssl|java|python3?|php|ruby|make|gcc|adb|xdg-open|open|start|osascript|which|where|cat|grep|find|ls|echo|sed|systemctl|service|df|du|mount|umount|heroku|aws|gcloud|gsutil) /;

/** `db.execute("SELECT …")` hands a statement to a database: on a handle the text has to name a program. */
const isCommandFor = ({ api }: Call, value: Value): boolean =>
  /\.execute$/i.test(api) ? namesProgram(value) : isCommand(value);

/** Programs that run other programs when an option asks for it. */
const OBEYING = /^(?:git|hg)$/;

/** A whole argument from outside can be an option, unless `--` ends the options before it. */
function takesOption({ args }: Call, list: Value): boolean {
  const words = list.words ?? [];
  if (!OBEYING.test(args[0]?.text ?? "") || words.includes("--")) return false;
  const isLed = words.some((word) => /^(?:clone|fetch|pull|ls-remote)$/.test(word));
  const parts = [...(list.members?.values() ?? [])];
  return isLed && parts.some(({ flows, text }) => flows.length > 0 && text === undefined);
}

export const COMMAND_INJECTION: Rule = {
  category: "command-injection",
  title: "Command built from outside data",
  harm: "A shell runs the text, so a value with `;`, `$()` or a quote in it runs other commands.",
  fix: "Call the program without a shell (execFile or spawn with a list of arguments; in Python subprocess.run with a list), and check the value against what is allowed.",
  sinks: [
    {
      calls: [
        "child_process.exec",
        "child_process.execSync",
        "shelljs.exec",
        "execa.shell",
        "execa.shellSync",
        "shell-exec",
        "node-cmd.get",
        "node-cmd.run",
        "node-cmd.runSync",
        "execa.command",
        "execa.commandSync",
        "execa.execaCommand",
        "os.system",
        "os.popen",
        "commands.getoutput",
        "subprocess.getoutput",
        "subprocess.getstatusoutput",
        "asyncio.create_subprocess_shell",
      ],
      args: [0],
    },
    { calls: [...SPAWNS, "execa", "execa.execa"], args: [0], when: usesShell },
    { calls: SPAWNS, args: [1], when: isShellCall },
    {
      calls: ["run", "call", "Popen", "check_output", "check_call"].map(
        (name) => `subprocess.${name}`,
      ),
      args: [0],
      when: usesShell,
    },
    { methods: ["exec_command"], args: [0] },
    { names: RUNNING_NAME, when: (call, value) => isOwnRunner(call) && isCommandFor(call, value) },
    { names: /^_?run\w*$/, when: (call, value) => isOwnRunner(call) && namesProgram(value) },
    {
      names: /^(?:cross)?_?(?:spawn|exec|run|git)\w*$/i,
      args: [1],
      when: (call, value) =>
        (call.isLocal || call.api.startsWith("child_process")) && takesOption(call, value),
    },
    {
      methods: ["exec", "execSync", "execAsync", "execPromise", "runCommand"],
      args: [0],
      when: ({ api, method }, { text, flows }) =>
        (method !== "exec" || /shell|child|cp|proc/i.test(api)) &&
        (text ?? "").includes(" ") &&
        flows.some(({ shape }) => (shape & (INNER | PART)) !== 0),
    },
  ],
  cleaners: [
    "shlex.quote",
    "pipes.quote",
    "shellescape",
    "shell-quote.quote",
    "shell-escape",
    "shlex.split",
    "encodeURIComponent",
  ],
  cleanerNames: /shell.?(?:quote|escape|arg)|escape.?(?:shell|arg|path)|quote|^esc$/i,
  level: (kind, flow, { members }) => {
    const isHandedOn = !isWorked(flow) && members === undefined;
    if (kind === "parameter" && isHandedOn) return "P3";
    // Whoever starts a program may name the command it is to run.
    return kind === "argument" && (flow.shape & INNER) === 0 ? "P2" : executionLevel(kind);
  },
};

/** With a shell in between, arguments that look apart are one text again. */
export const SHELL_ARGUMENTS: Rule = {
  ...COMMAND_INJECTION,
  sinks: [{ calls: [...SPAWNS, "execa", "execa.execa"], args: [1], when: usesShell }],
  level: (kind) => executionLevel(kind),
};
