import { SwornError } from "../base/index.ts";
import { type Git, gitFailed } from "./git.ts";

const NUMBER_MAX = 1_000_000_000;

/** Where fetching commonly puts the head of a request, the forges' own names first. */
function namesOf(number: number): string[] {
  return [
    `refs/pull/${number}/head`,
    `refs/merge-requests/${number}/head`,
    `refs/remotes/*/pr/${number}`,
    `refs/remotes/*/pull/${number}`,
    `refs/remotes/*/pull/${number}/head`,
    `refs/remotes/*/merge-requests/${number}`,
    `refs/remotes/*/merge-requests/${number}/head`,
  ];
}

export async function findPullRequest(
  git: Git,
  number: number,
): Promise<{ commit: string; ref: string }> {
  if (!Number.isSafeInteger(number) || number < 1 || number > NUMBER_MAX) {
    throw new SwornError("INPUT_INVALID", `${number} is not the number of a pull request`);
  }
  const args = ["for-each-ref", "--format=%(objecttype) %(objectname) %(refname)"];
  const { code, out, complaint } = await git.ask([...args, ...namesOf(number)]);
  if (code !== 0) throw gitFailed(args, complaint);
  const found = out
    .toString("utf8")
    .split("\n")
    .map((line) => line.split(" "))
    .find(([type]) => type === "commit");
  if (found !== undefined) return { commit: found[1] ?? "", ref: found.slice(2).join(" ") };
  const fetch = `git fetch origin pull/${number}/head:refs/pull/${number}/head`;
  const gitlab = `git fetch origin merge-requests/${number}/head:refs/merge-requests/${number}/head`;
  const what = `pull request ${number} is not in this repository`;
  throw new SwornError("NOT_FOUND", `${what}; fetch it first: ${fetch} (or, on GitLab: ${gitlab})`);
}
