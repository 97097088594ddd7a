import { INNER, PART } from "../engine/value.ts";
import { type Call, isFalse, optionOf, type Rule } from "../rule.ts";
import { executionLevel, isWorked } from "./level.ts";

/** `spawn` without a shell takes its arguments as they are; with one it is like `exec`. */
const usesShell = (call: Call): boolean => !isFalse(optionOf(call, "shell"));

/** `sh -c` and its like run whatever text follows. */
const isShellCall = (call: Call): boolean =>
  /(?:^|\/)(?:sh|bash|zsh|cmd|cmd\.exe|powershell|powershell\.exe)$/i.test(
    call.args[0]?.text ?? "",
  ) && (call.args[1]?.words ?? []).some((word) => /^(?:-c|-lc|\/c|\/C|-Command)$/.test(word));

const SPAWNS = ["spawn", "spawnSync", "execFile", "execFileSync"].map(
  (name) => `child_process.${name}`,
);

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
    { calls: [...SPAWNS, "execa", "execa.execa"], args: [0, 1], when: usesShell },
    { calls: SPAWNS, args: [1], when: isShellCall },
    {
      calls: ["run", "call", "Popen", "check_output", "check_call"].map(
        (name) => `subprocess.${name}`,
      ),
      args: [0],
      when: usesShell,
    },
    { methods: ["exec_command"], args: [0] },
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
  level: (kind, flow) => {
    if (kind === "parameter" && !isWorked(flow)) return "P3";
    // Whoever starts a program may name the command it is to run.
    return kind === "argument" && (flow.shape & INNER) === 0 ? "P2" : executionLevel(kind);
  },
};
