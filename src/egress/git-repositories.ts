import {
  parseRegistryUrl,
  type RegistryRefusal,
  type RegistryRules,
  type RegistrySource,
  registryRule,
} from "./registry-source.ts";

/**
 * The rules for git repositories that the user names one by one. Only git's older, plain protocol
 * works without a body: where a server speaks the newer one alone, the fetch belongs outside.
 */
export function gitRules({ also = [] }: RegistrySource): RegistryRules | RegistryRefusal {
  const urls = also.map(parseRegistryUrl).filter((url) => url !== undefined && url.base !== "");
  if (urls.length === 0) {
    return {
      setting: "the repository's https URL, named for this run",
      reason: "git has no configured hosts; each repository is named",
    };
  }
  const rules = urls.flatMap((url) => (url === undefined ? [] : [ruleOf(url)]));
  return { rules, env: { GIT_TERMINAL_PROMPT: "0" }, files: {} };
}

function ruleOf(url: NonNullable<ReturnType<typeof parseRegistryUrl>>) {
  const { base } = url;
  const paths = [
    `${base}/info/refs`,
    `${base}/HEAD`,
    `${base}/objects/info/packs`,
    `${base}/objects/info/alternates`,
    `${base}/objects/info/http-alternates`,
    `${base}/objects/#/#`,
    `${base}/objects/pack/pack-#.pack`,
    `${base}/objects/pack/pack-#.idx`,
  ];
  // The other service, git-receive-pack, is how a push begins.
  return registryRule("git", url, paths, { queries: ["service=git-upload-pack"] });
}
