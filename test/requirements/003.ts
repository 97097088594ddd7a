import type { Requirement } from "../requirements.ts";

/**
 * Source document 003: the runner, its run folders, the message bus, facts and delegation.
 *
 * @public
 */
export const GOVERNANCE = {
  "003-1": {
    text: "Prompts and runner tooling alone keep small runs, bus and facts in order, while a hard sandbox, limits and path boundaries stay out of scope.",
    state: "superseded by decision 28",
  },
  "003-2": {
    text: "An agent has one scoped task and exits when it is finished.",
    state: "tested",
  },
  "003-3": {
    text: "Work that is too large, or lies outside the agent's folder, is delegated.",
    state: "tested",
  },
  "003-4": {
    text: "An agent keeps to a single module or folder and hands other places to others.",
    state: "tested",
  },
  "003-5": {
    text: "An agent starts by reading `TASK_STATE.md` and the message bus.",
    state: "tested",
  },
  "003-6": {
    text: "The root agent also reads `PROJECT-MESSAGE-BUS.md` and the project's FACT files.",
    state: "tested",
  },
  "003-7": {
    text: "The root agent, and no other, renews `TASK_STATE.md` every cycle.",
    state: "tested",
  },
  "003-8": { text: "An agent leaves `output.md` in its run folder.", state: "tested" },
  "003-9": {
    text: "Messages pass through the bus tooling and are never added to the file by hand.",
    state: "tested",
  },
  "003-10": { text: "An agent reports progress on stderr.", state: "tested" },
  "003-11": { text: "There is no `OWNERSHIP.md`.", state: "tested" },
  "003-12": {
    text: "The prompt states the run folder as `JRUN_RUN_FOLDER` text that cannot be changed and is no environment variable.",
    state: "tested",
  },
  "003-13": {
    text: "The opening of a prompt tells the agent at which absolute path to write its `output.md`.",
    state: "tested",
  },
  "003-14": {
    text: "Prompts, outputs and temporary files of an agent stay in its run folder.",
    state: "tested",
  },
  "003-15": {
    text: "Ownership is an idea agents follow, with no file behind it.",
    state: "tested",
  },
  "003-16": { text: "A parent may read its child's output and task state.", state: "tested" },
  "003-17": {
    text: "Standard output is kept in `agent-stdout.txt` for each run.",
    state: "tested",
  },
  "003-18": {
    text: "Standard error, with progress, debug lines and errors, is kept in `agent-stderr.txt` for each run.",
    state: "tested",
  },
  "003-19": {
    text: "When a run ends without `output.md`, the runner builds it from `agent-stdout.txt`.",
    state: "tested",
  },
  "003-20": { text: "A parent finds an `output.md` after every run.", state: "tested" },
  "003-21": { text: "START and STOP come from the runner alone.", state: "tested" },
  "003-22": { text: "Updates and questions of one task go to the TASK bus.", state: "tested" },
  "003-23": {
    text: "Facts that concern several tasks go to the PROJECT bus, mostly from the root.",
    state: "tested",
  },
  "003-24": {
    text: "A reply or correction names what it answers in `parents[]`.",
    state: "tested",
  },
  "003-25": { text: "Messages and outputs give absolute paths.", state: "tested" },
  "003-26": { text: "The root agent polls the bus itself; no service does it.", state: "tested" },
  "003-27": { text: "Polling is frequent and fetches only what is new.", state: "tested" },
  "003-28": {
    text: "`TASK_STATE.md` is the root's short and current free text, bound to no schema.",
    state: "tested",
  },
  "003-29": { text: "A FACT file is Markdown under YAML front matter.", state: "tested" },
  "003-30": {
    text: "Facts are called `FACT-<timestamp>-<name>.md` in a project and `TASK-FACTS-<timestamp>.md` in a task.",
    state: "tested",
  },
  "003-31": {
    text: "Task agents suggest facts on the bus, and the root decides which are promoted.",
    state: "tested",
  },
  "003-32": { text: "The root promotes facts that have proved stable.", state: "tested" },
  "003-33": {
    text: "Delegation goes 16 levels deep at most, unless configured otherwise.",
    state: "tested",
  },
  "003-34": { text: "A spawn below the deepest level fails.", state: "tested" },
  "003-35": {
    text: "Agents that change code run in the source root, all others in the task folder unless told otherwise, and `run-info.yaml` says which.",
    state: "superseded by decision 29",
  },
  "003-36": {
    text: "Reads, writes, sensitive paths and other projects are open to every agent.",
    state: "superseded by decision 28",
  },
  "003-37": { text: "An agent may run the repository's scripts.", state: "tested" },
  "003-38": {
    text: "A run may use as much of the machine as it likes.",
    state: "superseded by decision 28",
  },
  "003-39": {
    text: "Git use is careful: stage and commit only the files meant, leave others alone, destroy nothing without need, keep commits small, and list what was touched at the end.",
    state: "tested",
  },
  "003-40": {
    text: "Cancelling sends SIGTERM to the process group and SIGKILL 30 s later.",
    state: "tested",
  },
  "003-41": {
    text: "On SIGTERM an agent writes out its bus messages and `TASK_STATE.md` if it can.",
    state: "tested",
  },
  "003-42": {
    text: "`JRUN_*` variables belong to the runner, and agents never mention them.",
    state: "tested",
  },
  "003-43": {
    text: "No error message asks an agent to set an environment variable.",
    state: "tested",
  },
  "003-44": {
    text: "Nothing negotiates versions; newer releases stay compatible with older ones.",
    state: "tested",
  },
  "003-45": {
    text: "A run exits 0 when completed and 1 when failed; anything finer goes over its streams and the bus.",
    state: "tested",
  },
} satisfies Readonly<Record<string, Requirement>>;
