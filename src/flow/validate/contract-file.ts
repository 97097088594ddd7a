import { existsSync, lstatSync } from "node:fs";
import { dirname, join, normalize, sep } from "node:path";
import { decodeUtf8, messageOf, readPlainFile, SwornError, sha256Hex } from "../../base/index.ts";
import type { Contract } from "../../schema/contract.ts";
import { readContract } from "../../verify/contract/index.ts";

const CONTRACT_BYTES_MAX = 1 << 20;
/** How many problems of a contract are told at once. */
const PROBLEMS_TOLD = 5;

/** A contract with the folder it lies in, and what a reader should know about it. */
export interface OpenedContract {
  readonly contract: Contract;
  readonly path: string;
  readonly folder: string;
  /** Of the file's bytes. */
  readonly digest: string;
  /** Fields of other tools that were left aside, and fields that it lacks. */
  readonly ignored: readonly string[];
  readonly absent: readonly string[];
}

/**
 * Opens `inscription.json`, whoever wrote it.
 *
 * @throws SwornError `NOT_FOUND`, `INPUT_INVALID` or `LIMIT_EXCEEDED`, naming what is wrong with it.
 */
export function openContract(path: string): OpenedContract {
  const text = textOf(path);
  const reading = readContract(text);
  if (reading.kind === "contract") {
    const { contract, ignored, absent } = reading;
    return { contract, path, folder: dirname(path), digest: sha256Hex(text), ignored, absent };
  }
  const told = reading.problems
    .slice(0, PROBLEMS_TOLD)
    .map(({ path: place, message }) => (place === "" ? message : `${place}: ${message}`));
  const more = reading.problems.length - told.length;
  const rest = more > 0 ? `; and ${more} more` : "";
  throw new SwornError(
    "INPUT_INVALID",
    `${path} is no contract that can be checked: ${told.join("; ")}${rest}`,
  );
}

function textOf(path: string): string {
  try {
    return decodeUtf8(readPlainFile(path, CONTRACT_BYTES_MAX));
  } catch (cause) {
    if (cause instanceof SwornError) throw cause;
    const message = `the contract ${path} cannot be read: ${messageOf(cause)}; "sworn contract" makes one`;
    throw new SwornError("NOT_FOUND", message, { cause });
  }
}

/**
 * The folder that holds the team's files. A contract names it from the repository's root, or from
 * where the contract lies; a folder that was moved as a whole has the files beside the contract. The
 * first of these with an expected file in it counts, so that an older run elsewhere does not.
 *
 * @throws SwornError `INPUT_INVALID` when the way there leads through a link.
 */
export function outputFolder(root: string, { contract, folder }: OpenedContract): string {
  const named = [root, folder].map((base) => {
    assertNoLink(base, contract.output_dir);
    return join(base, contract.output_dir);
  });
  const all = [...named, folder];
  const files = contract.teammates.map(({ output_file }) => output_file);
  const isUsed = (at: string) => files.some((name) => existsSync(join(at, name)));
  return all.find(isUsed) ?? all.find((at) => existsSync(at)) ?? folder;
}

/** An agent can put a link where its folder should be; behind it may lie anything. */
function assertNoLink(base: string, path: string): void {
  let at = base;
  for (const part of normalize(path).split(sep)) {
    at = join(at, part);
    if (lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink()) {
      const message = `output_dir leads through the link ${at}, and links are not followed; put a folder in its place`;
      throw new SwornError("INPUT_INVALID", message);
    }
  }
}
