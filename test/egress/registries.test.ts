import { expect, test } from "vitest";
import {
  isRegistryRefusal,
  type PullKind,
  type RegistryRules,
  type RegistrySource,
  registryRules,
  userAuthorities,
} from "../../src/egress/index.ts";
import { parseTarget } from "../../src/egress/request-target.ts";
import { RuleSet } from "../../src/egress/rule.ts";
import { PULL_KINDS } from "../../src/schema/execution.ts";
import { verifies } from "../verifies.ts";

interface Given {
  readonly env?: Record<string, string>;
  readonly files?: Record<string, string>;
  readonly also?: readonly string[];
  readonly tools?: Record<string, string>;
}

function sourceOf({ env = {}, files = {}, also = [], tools = {} }: Given): RegistrySource {
  return {
    env,
    home: "/home/anna",
    also,
    readFile: (path) => files[path],
    listFolder: (folder) =>
      Object.keys(files).flatMap((path) =>
        path.startsWith(`${folder}/`) ? [path.slice(folder.length + 1)] : [],
      ),
    askTool: (program) => tools[program],
  };
}

function rulesFrom(kind: PullKind, given: Given): RegistryRules {
  const found = registryRules(kind, sourceOf(given));
  if (isRegistryRefusal(found)) throw new Error(found.reason);
  return found;
}

/** The name of the rule that lets a GET through, or why none does. */
function judge({ rules }: RegistryRules, url: string): string {
  const { protocol, hostname, port, pathname, search } = new URL(url);
  const scheme = protocol === "https:" ? "https" : "http";
  const target = parseTarget(`${pathname}${search}`);
  if ("refused" in target) return target.refused;
  const origin = { scheme, host: hostname, port: Number(port) || (scheme === "https" ? 443 : 80) };
  const found = new RuleSet(rules).find(origin as never, "GET", target);
  return "refused" in found ? found.refused : found.name;
}

test("npm takes lockfiles of other registries too, unless the own one lies below a path", () => {
  const rewritten = (registry: string) =>
    rulesFrom("npm", { env: { npm_config_registry: registry } }).env[
      "npm_config_replace_registry_host"
    ];
  expect(rewritten("https://r.example.org/")).toBe("always");
  expect(rewritten("https://r.example.org/npm/")).toBeUndefined();
});

test("without configuration there is no host, only the setting's name", () => {
  for (const kind of PULL_KINDS) {
    const found = registryRules(kind, sourceOf({}));
    expect([kind, isRegistryRefusal(found)]).toEqual([kind, true]);
    expect(found).toMatchObject({ setting: expect.stringMatching(/./) });
  }
});

verifies(
  "004-65",
  "registries, mirrors and git hosts of the user's list are read from, never written to",
  () => {
    const given: Record<PullKind, Given> = {
      npm: { env: { npm_config_registry: "https://r.example.org/" } },
      pip: { env: { PIP_INDEX_URL: "https://r.example.org/simple" } },
      cargo: { env: { CARGO_REGISTRIES_TEAM_INDEX: "sparse+https://r.example.org/" } },
      go: { env: { GOPROXY: "https://r.example.org" } },
      apt: { files: { "/etc/apt/sources.list": "deb http://r.example.org/debian stable main\n" } },
      git: { also: ["https://r.example.org/team/repo.git"] },
    };
    for (const kind of PULL_KINDS) {
      const { rules } = rulesFrom(kind, given[kind]);
      expect([kind, rules.map(({ host }) => host)]).toEqual([kind, ["r.example.org"]]);
      expect([kind, rules[0]?.methods]).toEqual([kind, ["GET", "HEAD"]]);
      expect([kind, rules[0]?.bodyBytesMax]).toEqual([kind, undefined]);
    }
  },
);

test("npm's registries come from the user's files, and the environment is stronger", () => {
  const files = {
    "/usr/etc/npmrc": "registry=https://machine.example.org/npm/\n",
    "/home/anna/.npmrc": "@team:registry=https://team.example.org/\n; comment\n",
  };
  const written = rulesFrom("npm", { files });
  expect(written.rules.map(({ name, host }) => [name, host])).toEqual([
    ["npm", "machine.example.org"],
    ["npm @team", "team.example.org"],
  ]);
  expect(written.env).toEqual({
    npm_config_registry: "https://machine.example.org/npm/",
    "npm_config_@team:registry": "https://team.example.org/",
  });
  const env = { NPM_CONFIG_REGISTRY: "https://other.example.org" };
  expect(rulesFrom("npm", { files, env }).rules[0]?.host).toBe("other.example.org");
});

test("where nothing is written, the installed npm's own default counts", () => {
  const found = rulesFrom("npm", { tools: { npm: "https://default.example.org/" } });
  expect(found.rules.map(({ host }) => host)).toEqual(["default.example.org"]);
});

test("a project's own .npmrc is not read: a repository does not choose what it may reach", () => {
  const files = {
    "/project/.npmrc": "registry=https://evil.example.net/",
    ".npmrc": "registry=https://evil.example.net/",
  };
  expect(isRegistryRefusal(registryRules("npm", sourceOf({ files })))).toBe(true);
});

test("npm is allowed packages and their descriptions, and no other service of the registry", () => {
  const found = rulesFrom("npm", { env: { npm_config_registry: "https://r.example.org/npm/" } });
  const allowed = ["left-pad", "@types/node", "@types%2fnode", "left-pad/-/left-pad-1.3.0.tgz"];
  for (const path of [...allowed, "@types/node/-/node-20.1.0.tgz"]) {
    expect([path, judge(found, `https://r.example.org/npm/${path}`)]).toEqual([path, "npm"]);
  }
  for (const path of [
    "npm/-/whoami",
    "npm/-/v1/search?text=x",
    "left-pad",
    "npm/-/npm/v1/tokens",
  ]) {
    const verdict = judge(found, `https://r.example.org/${path}`);
    expect([path, verdict]).toEqual([path, "path-not-listed"]);
  }
});

test("npm's credentials become a header of the proxy, by the longest path, and stay out of the rest", () => {
  const npmrc = [
    "registry=https://r.example.org/npm/team/",
    "//r.example.org/:_authToken=wide-token",
    `//r.example.org/npm/:_authToken=${"$"}{TOKEN}`,
    "@a:registry=https://a.example.org/",
    "//a.example.org/:username=anna",
    `//a.example.org/:_password="${Buffer.from("pass").toString("base64")}"`,
    "@b:registry=https://bob:word@b.example.org/",
    "@c:registry=https://c.example.org:8443/",
    "//c.example.org/:_authToken=of-another-port",
  ];
  const files = { "/home/anna/.npmrc": npmrc.join("\n") };
  const found = rulesFrom("npm", { files, env: { TOKEN: "held-outside" } });
  const basic = (pair: string) => `Basic ${Buffer.from(pair).toString("base64")}`;
  expect(found.rules.map(({ setHeaders }) => setHeaders?.["authorization"])).toEqual([
    "Bearer held-outside",
    basic("anna:pass"),
    basic("bob:word"),
    undefined,
  ]);
  expect(JSON.stringify([found.env, found.files])).not.toMatch(/held-outside|pass|word|token/);
});

test("pip's indexes come from its files and variables, with the places where files are kept", () => {
  const files = {
    "/etc/pip.conf": "[global]\nindex-url = https://old.example.org/simple\n",
    "/home/anna/.config/pip/pip.conf":
      "[global]\nindex-url = https://anna:word@py.example.org/team/simple/\nextra-index-url =\n  https://one.example.org/simple\n  https://two.example.org/simple\n",
  };
  const found = rulesFrom("pip", { files });
  expect(found.rules.map(({ host }) => host)).toEqual([
    "py.example.org",
    "one.example.org",
    "two.example.org",
  ]);
  expect(found.env["PIP_INDEX_URL"]).toBe("https://py.example.org/team/simple/");
  expect(found.rules[0]?.setHeaders?.["authorization"]).toMatch(/^Basic /);
  const hash = "f6/9d/56f4fab6a5b8b7ec5b8d4c9a2a3a4f5e6d7c8b9a0f1e2d3c4b5a69788776";
  for (const path of [
    "team/simple/numpy/",
    `team/packages/${hash}/numpy-1.26.4-cp312-cp312-manylinux_2_17_x86_64.manylinux2014_x86_64.whl`,
    `packages/${hash}/PyYAML-6.0.1.tar.gz`,
  ]) {
    expect([path, judge(found, `https://py.example.org/${path}`)]).toEqual([path, "pip"]);
  }
  expect(judge(found, "https://py.example.org/legacy/")).toBe("path-not-listed");
  const env = { PIP_INDEX_URL: "https://env.example.org/simple" };
  expect(rulesFrom("pip", { files, env }).rules[0]?.host).toBe("env.example.org");
});

test("cargo's sparse registries come from source replacement and named registries", () => {
  const config = [
    "[source.crates-io]",
    'replace-with = "mirror" # ours',
    "[source.mirror]",
    'registry = "sparse+https://crates.example.org/index/"',
    "[registries.team]",
    'index = "sparse+https://team.example.org/"',
    "[registries.old]",
    'index = "https://git.example.org/index.git"',
  ];
  const found = rulesFrom("cargo", {
    files: { "/home/anna/.cargo/config.toml": config.join("\n") },
  });
  expect(found.rules.map(({ host }) => host)).toEqual(["crates.example.org", "team.example.org"]);
  for (const path of ["index/config.json", "index/se/rd/serde", "index/3/l/log"]) {
    expect([path, judge(found, `https://crates.example.org/${path}`)]).toEqual([path, "cargo"]);
  }
  const crate = "https://crates.example.org/api/v1/crates/serde/1.0.0/download";
  expect(judge(found, crate)).toBe("cargo");
  expect(judge(found, "https://crates.example.org/api/v1/me")).toBe("path-not-listed");
  expect(found.files[".cargo/config.toml"]).toContain("sparse+https://crates.example.org/index/");
});

test("a replacement that leads in a circle ends", () => {
  const config = '[source.crates-io]\nreplace-with = "a"\n[source.a]\nreplace-with = "crates-io"\n';
  const found = registryRules(
    "cargo",
    sourceOf({ files: { "/home/anna/.cargo/config.toml": config } }),
  );
  expect(isRegistryRefusal(found)).toBe(true);
});

test("go's proxies come from GOPROXY without the way to any host", () => {
  const files = {
    "/home/anna/.config/go/env":
      "GOFLAGS=-x\nGOPROXY=https://go.example.org,direct\nGONOSUMDB=example.org\n",
  };
  const found = rulesFrom("go", { files });
  expect(found.env).toEqual({
    GOPROXY: "https://go.example.org",
    GOVCS: "*:off",
    GONOSUMDB: "example.org",
  });
  for (const path of [
    "example.com/mod/@v/list",
    "example.com/mod/v2/@v/v2.0.1.zip",
    "golang.org/x/net/@v/v0.0.0-20210921155107-089bfa567519.mod",
    "github.com/!burnt!sushi/toml/@latest",
    "sumdb/sum.example.org/lookup/example.com/mod@v1.0.0",
  ]) {
    expect([path, judge(found, `https://go.example.org/${path}`)]).toEqual([path, "go"]);
  }
  expect(judge(found, "https://go.example.org/admin")).toBe("path-not-listed");
  expect(isRegistryRefusal(registryRules("go", sourceOf({ env: { GOPROXY: "direct" } })))).toBe(
    true,
  );
});

test("apt's sources come from both forms of its files", () => {
  const files = {
    "/etc/apt/sources.list":
      "# deb http://no.example.org/debian x main\ndeb [arch=amd64 signed-by=/k] http://one.example.org/debian stable main\n",
    "/etc/apt/sources.list.d/two.sources":
      "Types: deb\nURIs: https://two.example.org/debian\nSuites: stable\n\nEnabled: no\nURIs: https://off.example.org/debian\n",
    "/etc/apt/sources.list.d/three.list": "deb-src http://three.example.org/d stable main\n",
    "/etc/apt/sources.list.d/three.list.bak": "deb http://bak.example.org/d stable main\n",
  };
  const found = rulesFrom("apt", { files });
  expect(found.rules.map(({ scheme, host }) => `${scheme}://${host}`)).toEqual([
    "http://one.example.org",
    "http://three.example.org",
    "https://two.example.org",
  ]);
  const hash = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
  for (const path of [
    "dists/stable/InRelease",
    `dists/stable/main/binary-amd64/by-hash/SHA256/${hash}`,
    "pool/main/g/gcc-12/libstdc%2b%2b6_12.2.0-14_amd64.deb",
  ]) {
    expect([path, judge(found, `https://two.example.org/debian/${path}`)]).toEqual([path, "apt"]);
  }
  expect(judge(found, `https://two.example.org/debian/pool/${hash}`)).toBe("url-entropy");
});

test("git repositories are named one by one, and pushes have no rule", () => {
  const found = rulesFrom("git", { also: ["https://git.example.org/team/repo.git"] });
  const base = "https://git.example.org/team/repo.git";
  expect(judge(found, `${base}/info/refs?service=git-upload-pack`)).toBe("git");
  expect(judge(found, `${base}/objects/pack/pack-${"0a".repeat(20)}.pack`)).toBe("git");
  expect(judge(found, `${base}/info/refs?service=git-receive-pack`)).toBe("path-not-listed");
  expect(judge(found, "https://git.example.org/team/other.git/HEAD")).toBe("path-not-listed");
  expect(
    isRegistryRefusal(registryRules("git", sourceOf({ also: ["https://git.example.org"] }))),
  ).toBe(true);
});

test("a registry that is configured by address is refused with what to do", () => {
  const env = { npm_config_registry: "http://127.0.0.1:4873/" };
  expect(registryRules("npm", sourceOf({ env }))).toMatchObject({
    reason: expect.stringMatching(/is an address.*give the registry a name/),
  });
});

test("the user's own authorities are found where npm and others look for them", () => {
  const pem = "-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----\n";
  const files = {
    "/home/anna/.npmrc": "cafile=/ca/npm.pem\n",
    "/ca/npm.pem": `npm ${pem}`,
    "/ca/ssl.pem": `ssl ${pem}`,
    "/ca/none.pem": "nothing",
  };
  const env = { SSL_CERT_FILE: "/ca/ssl.pem", NODE_EXTRA_CA_CERTS: "/ca/none.pem" };
  expect(userAuthorities(sourceOf({ files, env }))).toEqual([`npm ${pem}`, `ssl ${pem}`]);
});
