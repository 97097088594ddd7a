import type { Citation } from "../../schema/finding.ts";
import { type JsonFile, membersOf } from "./manifest.ts";

/** A dependency as a manifest asks for it. */
export interface Declared {
  readonly name: string;
  readonly range: string;
  readonly at: Citation;
  /** Whether an installation may go without it. */
  readonly isOptional: boolean;
}

/** What a manifest asks for itself. */
export interface Manifest {
  readonly path: string;
  readonly ecosystem: "npm" | "python";
  readonly declared: readonly Declared[];
  /** Names whose version something else than the range decides. */
  readonly overruled: ReadonlySet<string>;
}

const SECTIONS = ["dependencies", "devDependencies", "optionalDependencies"] as const;

/** The dependencies of a package.json. */
export function packageManifest(json: JsonFile): Manifest {
  const declared = SECTIONS.flatMap((section) =>
    Object.entries(membersOf(json.value[section])).flatMap(([name, range]) =>
      typeof range !== "string"
        ? []
        : [
            {
              name,
              range,
              at: json.lines.cite(json.lineOf(section, name)),
              isOptional: section === "optionalDependencies",
            },
          ],
    ),
  );
  const pnpm = membersOf(membersOf(json.value["pnpm"])["overrides"]);
  const rules = [json.value["resolutions"], json.value["overrides"], pnpm].map(membersOf);
  const overruled = new Set(rules.flatMap((one) => Object.keys(one)).map(lastName));
  return { path: json.file.path, ecosystem: "npm", declared, overruled };
}

/** `a/**\/b@1` overrules `b`. */
function lastName(key: string): string {
  const match = /((?:@[^/@]{1,200}\/)?[^/@>]{1,200})(?:@[^/]{0,200})?$/.exec(key);
  return match?.[1] ?? key;
}
