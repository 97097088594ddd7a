import { Git, gitFailed } from "./git.ts";
import type { Environment } from "./git-environment.ts";

const WHO = ["-c", "user.name=Sworn", "-c", "user.email=sworn@localhost"];

/** Makes a repository of what lies in a folder, with one commit. */
export async function makeRepository(
  folder: string,
  { env }: { readonly env: Environment },
): Promise<void> {
  const git = new Git({ folder, env });
  const steps = [
    ["init", "--quiet", "--template="],
    ["add", "--all"],
    [...WHO, "commit", "--quiet", "--no-gpg-sign", "--message", "Begin"],
  ];
  for (const step of steps) {
    const { code, complaint } = await git.ask(step);
    if (code !== 0) throw gitFailed(step, complaint);
  }
}
