import { join } from "node:path";
import {
  parseRegistryUrl,
  type RegistryRefusal,
  type RegistryRules,
  type RegistrySource,
  type RegistryUrl,
  registryRule,
} from "./registry-source.ts";
import { parseTomlStrings } from "./toml-strings.ts";

const SETTING =
  'source replacement in ~/.cargo/config.toml ([source.crates-io] replace-with = "mine", [source.mine] registry = "sparse+<url>")';

/** The rules for cargo's sparse indexes and the crates beside them. */
export function cargoRules(source: RegistrySource): RegistryRules | RegistryRefusal {
  const { env, home, readFile } = source;
  const folder = env["CARGO_HOME"] ?? join(home, ".cargo");
  const text = readFile(join(folder, "config.toml")) ?? readFile(join(folder, "config")) ?? "";
  const settings = parseTomlStrings(text);
  for (const [name, value] of Object.entries(env)) {
    const registry = /^CARGO_REGISTRIES_([A-Z0-9_]+)_INDEX$/.exec(name)?.[1];
    if (registry !== undefined && value !== undefined) {
      settings.set(`registries.${registry.toLowerCase()}.index`, value);
    }
  }
  const main = replacementOf(settings);
  const named = [...settings].flatMap(([key, value]) =>
    /^registries\.[^.]+\.index$/.test(key) ? [value] : [],
  );
  const indexes = [...(main === undefined ? [] : [main]), ...named]
    .map(parseIndex)
    .filter((url) => url !== undefined);
  if (indexes.length === 0) {
    return { setting: SETTING, reason: "no sparse cargo registry is configured, none is built in" };
  }
  const files = (source.also ?? []).map(parseRegistryUrl).filter((url) => url !== undefined);
  const rules = [
    ...indexes.map((url) =>
      registryRule("cargo", url, [...indexPaths(url), ...cratePaths(url.base)]),
    ),
    ...files.map((url) => registryRule("cargo files", url, cratePaths(url.base))),
  ];
  return {
    rules,
    env: {},
    files: main === undefined ? {} : { ".cargo/config.toml": configFor(main) },
  };
}

/** Follows `replace-with` from the default registry, a few steps at most: it may lead in a circle. */
function replacementOf(settings: ReadonlyMap<string, string>): string | undefined {
  let name = "crates-io";
  for (let step = 0; step < 8; step += 1) {
    const next = settings.get(`source.${name}.replace-with`);
    if (next === undefined) break;
    name = next;
  }
  if (name === "crates-io") return undefined;
  return settings.get(`source.${name}.registry`) ?? settings.get(`registries.${name}.index`);
}

/** Only the sparse protocol is plain requests; the older one is a git repository. */
function parseIndex(value: string): RegistryUrl | undefined {
  return value.startsWith("sparse+") ? parseRegistryUrl(value.slice("sparse+".length)) : undefined;
}

function indexPaths({ base }: RegistryUrl): string[] {
  return ["config.json", "1/*", "2/*", "3/*/*", "*/*/*"].map((path) => `${base}/${path}`);
}

function cratePaths(base: string): string[] {
  const places = [...new Set([base, ""])];
  const forms = ["api/v1/crates/*/*/download", "crates/*/*/download", "crates/*/*.crate"];
  return places.flatMap((place) => forms.map((form) => `${place}/${form}`));
}

function configFor(index: string): string {
  const url = parseIndex(index);
  return [
    "[source.crates-io]",
    'replace-with = "configured"',
    "[source.configured]",
    `registry = "sparse+${url?.plain ?? ""}"`,
    "",
  ].join("\n");
}
