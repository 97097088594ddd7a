import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, cpSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { busyboxRoot } from "./daemon.ts";

/** Busybox, and perl with what it needs: the language that attacks are written in here. */
export function perlRoot(folder: string): string {
  const root = busyboxRoot(folder);
  const found = execFileSync("perl", ["-MSocket", "-e", "print join qq(\\n), @INC, values %INC"]);
  const modules = found.toString().split("\n");
  const base = modules.find((path) => path.endsWith("/perl-base")) ?? "";
  const shared = execFileSync("ldd", ["/usr/bin/perl"]).toString();
  const libraries = [...shared.matchAll(/(\/\S+) \(0x/g)].map((match) => match[1] ?? "");
  for (const path of ["/usr/bin/perl", ...libraries]) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    copyFileSync(path, join(root, path));
  }
  chmodSync(join(root, "usr/bin/perl"), 0o755);
  chmodSync(join(root, "tmp"), 0o1777);
  cpSync(base, join(root, base), { recursive: true });
  return root;
}
