import { deliveredBranch } from "../flow/delivered-branch.ts";
import type { PacketReport } from "../schema/packet-report.ts";
import { openPlace } from "./config.ts";
import type { Answer, CommandIo } from "./io.ts";

/**
 * Verifies the packet that a branch was delivered with, and that the branch is still at the commit which that
 * packet is of. Undefined where the word means no branch.
 */
export async function verifyBranch(
  word: string,
  io: CommandIo,
  verify: (packet: string) => Promise<Answer>,
): Promise<Answer | undefined> {
  const { cwd, env, signal } = io;
  const branch = await deliveredBranch(cwd, word, async () => openPlace(io), { env, signal });
  if (branch === undefined) return undefined;
  const answer = await verify(branch.packet);
  const { commit } = answer.json as Partial<PacketReport>;
  const { name, packet } = branch;
  const is = `branch ${name}, at ${branch.commit}; packet ${packet}`;
  const json = { ...(answer.json as object), branch: { name, commit: branch.commit, packet } };
  if (commit === branch.commit) return { ...answer, json, words: `${answer.words}\n${is}` };
  // A packet that holds says nothing of what somebody else put on the branch afterwards.
  const fail = `FAIL: the branch is not what its packet is of: ${name} is at ${branch.commit}, the packet is of ${commit ?? "no commit"}`;
  const next = `Look at "git diff ${commit ?? "<commit>"} ${branch.commit}"; "sworn verify ${packet}" verifies the packet alone.`;
  return {
    ...answer,
    exit: 4,
    json: { ...json, status: "fail" },
    words: `${fail}\n${next}`,
  };
}
