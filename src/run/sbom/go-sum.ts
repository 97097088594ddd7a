import { assertCountable, assertReadable, isName, type SbomPackage } from "./sbom-package.ts";

/** Reads `go.sum`. Its hashes are over lists of files, which no other tool computes: they stay out. */
export function readGoSum(text: string): SbomPackage[] {
  assertReadable(text, "go.sum");
  const packages = text.split("\n").flatMap((line): SbomPackage[] => {
    const [name = "", version = "", hash = ""] = line.slice(0, 2_000).trim().split(" ");
    const isModule = hash.startsWith("h1:") && !version.endsWith("/go.mod");
    if (!isModule || !isName(name)) return [];
    return [{ ecosystem: "golang", name, version, licence: undefined }];
  });
  assertCountable(packages, "go.sum");
  return packages;
}
