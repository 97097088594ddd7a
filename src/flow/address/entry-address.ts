import { printAddress } from "../../schema/address.ts";
import type { Entry } from "../../schema/index.ts";
import { pathOf } from "./fits-path.ts";

/** Where an entry is: the project it is of, and the task by which its trace is found. */
export interface EntryPlace {
  readonly project: string;
  readonly task: string;
}

/** The fixed address of an entry, or of bytes that it carries. */
export function entryAddress(
  entry: Entry,
  digest: string,
  { project, task }: EntryPlace,
  artifact?: string,
): string {
  const { agent, role } = entry.actor;
  const path = [...pathOf(entry), ...(artifact === undefined ? [] : ["artifact", artifact])];
  return printAddress({ agent, role, project, task, when: { kind: "digest", digest }, path });
}

/** The fixed address of a file of the project, or of a line of it. */
export function fileAddress(
  { project, task }: EntryPlace,
  commit: string,
  path: string,
  fragment?: string,
): string {
  return printAddress({
    ...{ agent: "any", role: "any", project, task, when: { kind: "commit", commit } },
    path: ["file", ...path.split("/")],
    ...(fragment === undefined ? {} : { fragment }),
  });
}
