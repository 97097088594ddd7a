import type { AgentConfig, AgentEvent } from "../schema/agent.ts";

/** Where an agent finds things inside its sandbox. */
export interface AgentPlaces {
  /** Its work tree, which it may change. */
  readonly tree: string;
  /** A home folder with nothing in it but what {@link AgentCommand.home} puts there. */
  readonly home: string;
  /** The prompt as a file, read-only. */
  readonly promptFile: string;
  /** Where its model answers: the proxy's address inside, in place of the real one. */
  readonly endpoint: string | undefined;
}

/** A program that is an agent, ready to be started in a sandbox. Nothing of it goes through a shell. */
export interface AgentCommand {
  readonly argv: readonly string[];
  /** What it gets on standard input. */
  readonly stdin: string | undefined;
  /** Beyond PATH, HOME and what every sealed task has. */
  readonly env: Readonly<Record<string, string>>;
  /** Files in its home, by path: settings that turn off updates, telemetry and questions. */
  readonly home: Readonly<Record<string, string>>;
}

/** Makes sense of what an agent prints, line by line, as it comes. */
export interface StreamReader {
  take(chunk: Buffer): AgentEvent[];
  /**
   * How many bytes so far only repeated what other lines say. pi prints a message anew with every
   * piece of it, the square of its length: a ceiling of output that counted those would stop honest
   * work, and a copy of the stream need not keep them. Time bounds them all the same.
   */
  readonly echoBytes: number;
  /** Whether uses of tools are among what it reads; of an agent that tells of none, programs are counted. */
  readonly tellsTools: boolean;
  /** What was left when the stream ended. */
  end(): AgentEvent[];
  /** Whether the stream ended in the middle of what the agent does, for one whose stream would say that it is over. */
  readonly isCutOff?: boolean;
  /** Whether nothing of what it printed was in its form, for one that has a form. */
  readonly isForeign?: boolean;
}

/** An agent that is a program: it is started, it prints, it ends. */
export interface ProgramDriver {
  /** The folders and files of the host that hold the program, to be seen inside at the same path. */
  readonly programFolders: readonly string[];
  command(prompt: string, places: AgentPlaces): AgentCommand;
  reader(): StreamReader;
}

/** What is known about an agent's program on this machine. */
export interface ProgramFound {
  /** The file itself, behind all links. */
  readonly path: string;
  /** How it is started: the file, or its interpreter and the file. Nothing is looked up again. */
  readonly argv: readonly [string, ...string[]];
  /** What it says of itself; undefined when it did not answer in time or said no number. */
  readonly version: string | undefined;
  /** What has to be seen inside a sandbox, at the same path, for it to run. */
  readonly folders: readonly string[];
}

/** Why a program cannot be used, in words. */
export interface ProgramMissing {
  readonly missing: string;
}

export type ConfigOf<D extends AgentConfig["driver"]> = Extract<AgentConfig, { driver: D }>;
