import type { KeptFiles } from "../../claim/index.ts";
import type { ChangeSeen, OfChange } from "./judge-part.ts";

/** That files are as they were, or still there: the change says whether it is so. */
export async function judgeKept(
  { paths, denied }: Pick<KeptFiles, "paths" | "denied">,
  { trees, changed }: ChangeSeen,
): Promise<OfChange> {
  const there = new Set(changed.map(({ path }) => path));
  for (const tree of trees) for (const path of await tree.paths()) there.add(path);
  const unknown = paths.find((path) => ![...there].some((one) => isCalled(one, path, there)));
  const bad = changed.find(
    (one) =>
      (denied === "change" || one.how === "deleted") &&
      paths.some((path) => isCalled(one.path, path, there)),
  );
  if (bad !== undefined) return { verdict: "refuted", why: `${bad.path} was ${bad.how}` };
  if (unknown !== undefined) return { verdict: "unverified", why: `there is no file ${unknown}` };
  const what = denied === "change" ? "does not touch" : "does not take away";
  return { verdict: "confirmed", why: `the change ${what} ${paths.join(", ")}` };
}

/** By its whole path, or by the end of it where no file has it as a whole. */
function isCalled(path: string, name: string, there: ReadonlySet<string>): boolean {
  return there.has(name) ? path === name : path.endsWith(`/${name}`);
}
