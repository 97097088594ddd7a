import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { dirname, join } from "node:path";
import {
  isRegistryRefusal,
  type PullKind,
  type RegistryRules,
  registryRules,
} from "../../src/egress/index.ts";
import { closedFolder } from "./world.ts";

/** What every package of the registry says when it is used. */
export const WORD = "from the registry";

const hash = (name: string, bytes: Uint8Array, form: "hex" | "base64" = "hex"): string =>
  createHash(name).update(bytes).digest(form);

/** Files in a folder of their own, for a tool to pack. */
function laidOut(files: Readonly<Record<string, string>>): string {
  const folder = closedFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

function tarred(files: Readonly<Record<string, string>>): Buffer {
  return execFileSync("tar", ["-cz", "-C", laidOut(files), ...Object.keys(files)]);
}

function zipped(files: Readonly<Record<string, string>>): Buffer {
  const script =
    "import sys, zipfile\nwith zipfile.ZipFile('all.zip', 'w') as z: [z.write(n) for n in sys.argv[1:]]";
  const cwd = laidOut(files);
  execFileSync("python3", ["-c", script, ...Object.keys(files)], { cwd });
  return readFileSync(join(cwd, "all.zip"));
}

type Served = Record<string, string | Buffer>;

function npmFiles(origin: string): Served {
  const tarball = tarred({
    "package/package.json": '{"name":"small","version":"1.0.0"}',
    "package/index.js": `module.exports = ${JSON.stringify(WORD)};`,
  });
  const dist = {
    tarball: `${origin}/npm/small/-/small-1.0.0.tgz`,
    integrity: `sha512-${hash("sha512", tarball, "base64")}`,
  };
  const versions = { "1.0.0": { name: "small", version: "1.0.0", dist } };
  const page = { name: "small", "dist-tags": { latest: "1.0.0" }, versions };
  return { "/npm/small": JSON.stringify(page), "/npm/small/-/small-1.0.0.tgz": tarball };
}

function pipFiles(): Served {
  const info = "small-1.0.0.dist-info";
  const wheel = zipped({
    "small.py": `word = ${JSON.stringify(WORD)}\n`,
    [`${info}/METADATA`]: "Metadata-Version: 2.1\nName: small\nVersion: 1.0.0\n",
    [`${info}/WHEEL`]: "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    [`${info}/RECORD`]: "",
  });
  const sum = hash("sha256", wheel);
  const place = `/packages/${sum.slice(0, 2)}/${sum.slice(2, 4)}/${sum.slice(4)}/small-1.0.0-py3-none-any.whl`;
  return { "/simple/small/": `<a href="${place}#sha256=${sum}">small</a>`, [place]: wheel };
}

function cargoFiles(origin: string): Served {
  const crate = tarred({
    "small-1.0.0/Cargo.toml": '[package]\nname = "small"\nversion = "1.0.0"\nedition = "2018"\n',
    "small-1.0.0/src/lib.rs": `pub const WORD: &str = ${JSON.stringify(WORD)};\n`,
  });
  const line = { name: "small", vers: "1.0.0", deps: [], features: {}, yanked: false };
  return {
    "/crates/config.json": JSON.stringify({ dl: `${origin}/crates/api/v1/crates` }),
    "/crates/sm/al/small": JSON.stringify({ ...line, cksum: hash("sha256", crate) }),
    "/crates/api/v1/crates/small/1.0.0/download": crate,
  };
}

function goFiles(): Served {
  const module = "example.org/small";
  const mod = `module ${module}\n\ngo 1.18\n`;
  const zip = zipped({
    [`${module}@v1.0.0/go.mod`]: mod,
    [`${module}@v1.0.0/small.go`]: `package small\n\nconst Word = ${JSON.stringify(WORD)}\n`,
  });
  const at = `/go/${module}/@v`;
  return {
    [`${at}/list`]: "v1.0.0\n",
    [`${at}/v1.0.0.info`]: '{"Version":"v1.0.0","Time":"2023-11-14T22:13:20Z"}',
    [`${at}/v1.0.0.mod`]: mod,
    [`${at}/v1.0.0.zip`]: zip,
  };
}

function aptFiles(): Served {
  const control =
    "Package: small\nVersion: 1.0.0\nArchitecture: all\nMaintainer: A <a@example.org>\nDescription: small\n";
  const folder = laidOut({ "small/DEBIAN/control": control, "small/usr/share/small/word": WORD });
  execFileSync("dpkg-deb", ["--build", "--root-owner-group", "small", "small.deb"], {
    cwd: folder,
    stdio: "ignore",
  });
  const deb = readFileSync(join(folder, "small.deb"));
  const place = "pool/main/s/small/small_1.0.0_all.deb";
  const list = `${control}Filename: ${place}\nSize: ${deb.length}\nSHA256: ${hash("sha256", deb)}\n`;
  const index = "main/binary-all/Packages";
  const sums = ["amd64", "all"].map(
    (one) => ` ${hash("sha256", Buffer.from(list))} ${list.length} ${index.replace("all", one)}`,
  );
  const dates = "Date: Tue, 14 Nov 2023 22:13:20 UTC";
  const release = `Suite: stable\nCodename: stable\n${dates}\nArchitectures: amd64 all\nComponents: main\nSHA256:\n${sums.join("\n")}\n`;
  const dists = "/debian/dists/stable";
  return {
    [`${dists}/Release`]: release,
    [`${dists}/${index}`]: list,
    [`${dists}/main/binary-amd64/Packages`]: list,
    [`/debian/${place}`]: deb,
  };
}

function gitFiles(): Served {
  const folder = laidOut({ "work/word.txt": WORD });
  const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
  const git = (cwd: string, ...args: string[]): void => {
    const author = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
    execFileSync("git", [...author, ...args], { cwd, env, stdio: "ignore" });
  };
  const work = join(folder, "work");
  git(work, "init", "-b", "main");
  git(work, "add", "word.txt");
  git(work, "commit", "-m", "word");
  git(folder, "clone", "--bare", "work", "repo.git");
  git(join(folder, "repo.git"), "repack", "-ad");
  git(join(folder, "repo.git"), "update-server-info");
  const served: Served = {};
  for (const one of readdirSync(join(folder, "repo.git"), {
    recursive: true,
    withFileTypes: true,
  })) {
    if (!one.isFile()) continue;
    const path = join(one.parentPath ?? one.path, one.name);
    served[`/team${path.slice(folder.length)}`] = readFileSync(path);
  }
  return served;
}

/** An answer from what a registry of each kind holds: one package that says the word. */
export function registryAnswer() {
  let files: Served | undefined;
  return (request: IncomingMessage, response: ServerResponse): void => {
    const origin = `https://${request.headers.host}`;
    files ??= {
      ...npmFiles(origin),
      ...pipFiles(),
      ...cargoFiles(origin),
      ...goFiles(),
      ...aptFiles(),
      ...gitFiles(),
    };
    const found = files[new URL(request.url ?? "", origin).pathname];
    if (found === undefined) response.statusCode = 404;
    // Pages of an index are told from files by this alone.
    if (request.url?.startsWith("/simple/")) response.setHeader("content-type", "text/html");
    response.end(found ?? "no such file");
  };
}

/** The rules and settings for a kind of client whose user is set up for the registry at an origin. */
export function rulesFor(kind: PullKind, origin: string): RegistryRules {
  const files: Record<string, string> = {
    "/home/anna/.npmrc": `registry=${origin}/npm/\n`,
    "/home/anna/.cargo/config.toml": `[source.crates-io]\nreplace-with = "own"\n[source.own]\nregistry = "sparse+${origin}/crates/"\n`,
    "/etc/apt/sources.list": `deb [trusted=yes] ${origin}/debian stable main\n`,
  };
  const found = registryRules(kind, {
    env: { PIP_INDEX_URL: `${origin}/simple`, GOPROXY: `${origin}/go`, GOSUMDB: "off" },
    home: "/home/anna",
    readFile: (path) => files[path],
    listFolder: () => [],
    askTool: () => undefined,
    also: kind === "git" ? [`${origin}/team/repo.git`] : [],
  });
  if (isRegistryRefusal(found)) throw new Error(found.reason);
  return found;
}

/** What a person types to get the package and use it; each says the word as its last line. */
export function pullScript(kind: PullKind, origin: string): string {
  const scripts: Record<PullKind, string> = {
    npm: "npm init -y >/dev/null && npm install --silent small && node -p 'require(\"small\")'",
    pip: "python3 -m venv v && v/bin/pip install -q small && v/bin/python -c 'import small; print(small.word)'",
    cargo: `mkdir -p src && printf '[package]\\nname = "user"\\nversion = "1.0.0"\\n[dependencies]\\nsmall = "1"\\n' > Cargo.toml
      echo 'fn main() { println!("{}", small::WORD); }' > src/main.rs && cargo run -q`,
    go: `printf 'module example.org/user\\n' > go.mod
      printf 'package main\\nimport "example.org/small"\\nfunc main() { println(small.Word) }\\n' > main.go
      go get example.org/small@v1.0.0 && go run . 2>&1`,
    apt: `mkdir -p s/lists/partial c/archives/partial && touch s/status
      echo 'deb [trusted=yes] ${origin}/debian stable main' > s/list
      set -- -qq -o Dir::Etc::sourcelist="$PWD/s/list" -o Dir::Etc::sourceparts=/dev/null -o Dir::State="$PWD/s" -o Dir::State::status="$PWD/s/status" -o Dir::Cache="$PWD/c" -o APT::Sandbox::User=
      apt-get "$@" update && apt-get "$@" download small && dpkg-deb -x small_*.deb x && cat x/usr/share/small/word`,
    git: `git clone -q ${origin}/team/repo.git r && cat r/word.txt`,
  };
  return scripts[kind];
}
