import { randomBytes } from "node:crypto";
import { existsSync, lstatSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { ensureFolder, SwornError } from "../../base/index.ts";
import {
  BUILT_IN_TEAMS,
  type MadeContract,
  makeContract,
  outputDirFor,
  toWorkflow,
  WORKFLOWS,
  type Workflow,
  type WorkflowName,
  weavePrompt,
} from "../../plan/index.ts";
import { type Environment, Repository } from "../../repo/index.ts";
import type { Config } from "../../schema/config.ts";
import type { Contract } from "../../schema/contract.ts";
import { startWorkflow } from "../../verify/contract/index.ts";
import type { Place } from "../place.ts";
import { rememberContract } from "../validate/contract-memory.ts";
import { writeState } from "../validate/state-file.ts";
import { type Uncovered, unassignedLine } from "../validate/uncovered.ts";
import { nearest } from "../words/nearest.ts";
import { CONFIG_NAME, readConfig } from "../workflow-config.ts";
import { writeOutput } from "../write-output.ts";
import { type FilesWanted, type TeamSubject, teamSubject } from "./workflow-subject.ts";

/** A contract as somebody asked for it. */
export interface ContractOrder {
  /** The name of a built-in or a declared workflow. */
  readonly workflow: string;
  /** A folder in the repository. */
  readonly folder: string;
  /** Where to write, as a whole path; a folder under `tmp/` where nobody says. */
  readonly out?: string | undefined;
  readonly files: FilesWanted;
  /** What the team is to do, in words. */
  readonly task?: string | undefined;
  readonly overlap: boolean;
  readonly env: Environment;
  readonly signal: AbortSignal;
  /** Where the store and the user's state are for a repository's root. */
  readonly placeFor: (root: string) => Place;
}

/** What was written, and what nobody was given. */
export interface WrittenContract {
  readonly folder: string;
  readonly contract: Contract;
  readonly prompts: readonly {
    readonly name: string;
    readonly path: string;
    readonly files: number;
  }[];
  readonly uncovered: readonly Uncovered[];
  readonly notes: readonly string[];
}

/**
 * Makes the contract of a team and a prompt for each of its agents. The contract is written first:
 * an agent that has its prompt finds it in place.
 *
 * @throws SwornError `INPUT_INVALID`, `NOT_FOUND`, `ALREADY_EXISTS`, `PATH_ESCAPES`, `LIMIT_EXCEEDED`.
 */
export async function writeContract(order: ContractOrder): Promise<WrittenContract> {
  const repository = await Repository.open(order.folder, order);
  try {
    const place = order.placeFor(repository.root);
    const chosen = chooseWorkflow(order.workflow, readConfig(repository.root));
    const task = taskOf(chosen.shape, order.task);
    const subject = await teamSubject(repository, chosen.shape, order.files);
    const folder = freeFolder(repository.root, order.out, chosen.shape, subject);
    const made = makeContract({
      workflow: chosen.workflow,
      ...(chosen.agents === undefined ? {} : { agents: chosen.agents }),
      outputDir: relative(repository.root, folder).split(sep).join("/"),
      timestamp: new Date(place.clock()).toISOString(),
      nonce: randomBytes(16).toString("hex"),
      ...(subject.files === undefined ? {} : { files: subject.files }),
      overlap: order.overlap,
    });
    if (made.kind === "no-contract") throw new SwornError("INPUT_INVALID", made.reason);
    const whole = `${task}\nIt is about ${subject.about}.`;
    return write(made, { folder, place, subject, task: whole });
  } finally {
    repository.close();
  }
}

interface Chosen {
  readonly shape: Workflow;
  readonly workflow: Parameters<typeof makeContract>[0]["workflow"];
  readonly agents?: Parameters<typeof makeContract>[0]["agents"] & {};
}

function chooseWorkflow(name: string, { workflows = [] }: Config): Chosen {
  if (Object.hasOwn(WORKFLOWS, name)) {
    const builtIn = name as WorkflowName;
    return { shape: WORKFLOWS[builtIn], workflow: builtIn, agents: BUILT_IN_TEAMS[builtIn] };
  }
  const declared = workflows.find((one) => one.name === name);
  if (declared !== undefined) return { shape: toWorkflow(declared), workflow: declared };
  const known = [...Object.keys(WORKFLOWS), ...workflows.map((one) => one.name)];
  const meant = nearest(name, known);
  const hint =
    meant === undefined ? `expected one of ${known.join(", ")}` : `did you mean ${meant}?`;
  const message = `there is no workflow ${name} (${hint}); ${CONFIG_NAME} declares others`;
  throw new SwornError("INPUT_INVALID", message);
}

function taskOf({ name, format }: Workflow, task: string | undefined): string {
  if (task !== undefined) return task;
  if (format === "report")
    return "Review the files you were given; say what should change, and why.";
  const message = `the workflow ${name} needs a task; say what the team is to do with --task`;
  throw new SwornError("INPUT_INVALID", message);
}

/** A folder inside the repository, without links on the way, that holds no contract yet. */
function freeFolder(
  root: string,
  out: string | undefined,
  shape: Workflow,
  { head }: TeamSubject,
): string {
  const folder = out ?? join(root, outputDirFor(shape, head.slice(0, 12)));
  const parts = relative(root, folder).split(sep);
  if (parts[0] === "" || parts[0] === "..") {
    const message = `${folder} is not a folder inside the repository ${root}; choose another one with --out`;
    throw new SwornError("PATH_ESCAPES", message);
  }
  // Git runs what lies in its hooks, and believes the rest of its folder.
  if (parts.some((part) => /^\.git$/i.test(part))) {
    const message = `${folder} is inside git's own folder; choose another one with --out`;
    throw new SwornError("PATH_ESCAPES", message);
  }
  parts.reduce((at, part) => {
    const next = join(at, part);
    if (lstatSync(next, { throwIfNoEntry: false })?.isSymbolicLink()) {
      throw new SwornError("PATH_ESCAPES", `${next} is a link, and links are not followed`);
    }
    return next;
  }, root);
  // Agents may be at work under the contract that is there: a new nonce would void what they write.
  if (existsSync(join(folder, "inscription.json"))) {
    const message = `${folder} holds a contract already; choose another folder with --out`;
    throw new SwornError("ALREADY_EXISTS", message);
  }
  return folder;
}

/** Where a contract is written, and what for. */
interface Desk {
  readonly folder: string;
  readonly place: Place;
  readonly subject: TeamSubject;
  readonly task: string;
}

function write(
  { contract, assignment, notes }: Extract<MadeContract, { kind: "contract" }>,
  { folder, place, subject, task }: Desk,
): WrittenContract {
  const given = new Map(assignment?.given.map(({ name, files }) => [name, files]));
  const prompts = contract.teammates.map((teammate) => {
    const files = given.get(teammate.name) ?? [];
    const isDealt = assignment !== undefined;
    const nonce = contract.nonce ?? "";
    const prompt = weavePrompt({ contract, teammate, task, files, isDealt, nonce });
    const to = join(folder, "prompts", `${teammate.name}.md`);
    return { name: teammate.name, path: to, files: files.length, prompt };
  });
  const uncovered = [...(assignment?.gaps ?? []), ...subject.gaps];
  ensureFolder(folder);
  const path = join(folder, "inscription.json");
  const text = `${JSON.stringify(contract, null, 2)}\n`;
  writeOutput(path, text);
  rememberContract(place, path, text);
  const files = contract.teammates.map(({ output_file }) => output_file);
  const state = startWorkflow(contract.timestamp ?? "", files);
  writeState(folder, { ...state, gaps: uncovered.map(unassignedLine).slice(0, 10_000) });
  ensureFolder(join(folder, "prompts"));
  for (const { path: to, prompt } of prompts) writeOutput(to, prompt);
  const idle = prompts.filter(({ files: own }) => assignment !== undefined && own === 0);
  return {
    folder,
    contract,
    prompts: prompts.map(({ prompt: _, ...about }) => about),
    uncovered,
    notes: [
      ...notes,
      ...idle.map(({ name }) => `${name} has no file: none in its scope is left for it`),
    ],
  };
}
