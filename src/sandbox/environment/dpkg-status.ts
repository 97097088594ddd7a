import { join } from "node:path";
import { readPlainFile, SwornError } from "../../base/index.ts";
import type { InstalledPackage } from "./environment-lock.ts";

const STATUS_BYTES_MAX = 64 << 20;

/**
 * The packages that are installed in a root, from the package manager's own record, sorted.
 *
 * @throws SwornError `INPUT_INVALID` when a record is not whole.
 */
export function installedPackages(root: string): InstalledPackage[] {
  const text = readPlainFile(join(root, "var/lib/dpkg/status"), STATUS_BYTES_MAX).toString();
  const records = text.split("\n\n").filter((record) => record.trim() !== "");
  const packages = records.filter(isInstalled).map((record) => ({
    name: fieldOf(record, "Package"),
    version: fieldOf(record, "Version"),
    architecture: fieldOf(record, "Architecture"),
  }));
  return packages.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

const keyOf = ({ name, architecture }: InstalledPackage): string => `${name} ${architecture}`;

function isInstalled(record: string): boolean {
  return record.split("\n").includes("Status: install ok installed");
}

function fieldOf(record: string, name: string): string {
  const line = record.split("\n").find((one) => one.startsWith(`${name}: `));
  if (line !== undefined) return line.slice(name.length + 2).trim();
  const about = record.slice(0, 60).replaceAll("\n", " ");
  throw new SwornError("INPUT_INVALID", `a package's record has no ${name}: ${about}`);
}
