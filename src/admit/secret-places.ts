import { join } from "node:path";

/** A place that holds secrets: where it is, and what is in it. */
export interface SecretPlace {
  readonly path: string;
  readonly what: string;
}

/** Folders and files in a home that are secret as a whole. */
const IN_HOME: readonly (readonly [string, string])[] = [
  [".ssh", "SSH keys"],
  [".aws", "AWS credentials"],
  [".azure", "Azure credentials"],
  [".config/gcloud", "Google Cloud credentials"],
  [".kube", "Kubernetes credentials"],
  [".netrc", "passwords for hosts"],
  ["_netrc", "passwords for hosts"],
  [".docker", "credentials for container registries"],
  [".config/containers/auth.json", "credentials for container registries"],
  [".gnupg", "GnuPG keys"],
  [".password-store", "a password store"],
  [".local/share/keyrings", "a key ring"],
  [".local/share/kwalletd", "a wallet"],
  [".config/Bitwarden", "a password store"],
  [".config/op", "a password store"],
  [".keepassxc", "a password store"],
  [".git-credentials", "git passwords"],
  [".config/git/credentials", "git passwords"],
  [".config/gh", "GitHub tokens"],
  [".config/glab-cli", "GitLab tokens"],
  [".pypirc", "tokens of a package index"],
  [".cargo/credentials", "tokens of a package index"],
  [".cargo/credentials.toml", "tokens of a package index"],
  [".gem/credentials", "tokens of a package index"],
  [".m2/settings.xml", "tokens of a package index"],
  [".config/rclone", "credentials for storage"],
  [".s3cfg", "credentials for storage"],
  [".boto", "credentials for storage"],
  [".vault-token", "a Vault token"],
  [".terraform.d", "Terraform credentials"],
  [".pgpass", "database passwords"],
  [".my.cnf", "database passwords"],
  [".mozilla", "a browser profile"],
  [".thunderbird", "a mail profile"],
  [".config/google-chrome", "a browser profile"],
  [".config/chromium", "a browser profile"],
  [".config/BraveSoftware", "a browser profile"],
  [".config/microsoft-edge", "a browser profile"],
  [".config/vivaldi", "a browser profile"],
  [".config/opera", "a browser profile"],
  ["snap/firefox", "a browser profile"],
  ["snap/chromium", "a browser profile"],
  ["Library/Keychains", "a key ring"],
  ["Library/Application Support/Google/Chrome", "a browser profile"],
  ["Library/Application Support/Firefox", "a browser profile"],
  ["Library/Safari", "a browser profile"],
  [".claude/.credentials.json", "tokens of an agent"],
  [".codex/auth.json", "tokens of an agent"],
];

/** Places of the machine: whoever talks to an engine's socket is root, whoever sees these sees every process. */
const OF_MACHINE: readonly SecretPlace[] = [
  { path: "/proc", what: "every process of the machine" },
  { path: "/sys", what: "the kernel's controls" },
  { path: "/dev", what: "the machine's devices" },
  { path: "/etc/shadow", what: "password hashes" },
  { path: "/etc/gshadow", what: "password hashes" },
  { path: "/etc/sudoers", what: "who may become root" },
  { path: "/etc/ssl/private", what: "private keys" },
  { path: "/etc/kubernetes", what: "Kubernetes credentials" },
  { path: "/run/docker.sock", what: "the socket of an engine" },
  { path: "/var/run/docker.sock", what: "the socket of an engine" },
  { path: "/run/podman", what: "the socket of an engine" },
  { path: "/run/containerd", what: "the socket of an engine" },
  { path: "/run/crio", what: "the socket of an engine" },
  { path: "/run/secrets", what: "secrets of this container" },
  { path: "/run/user", what: "sockets and key rings of sessions" },
  { path: "/var/lib/docker", what: "the files of an engine" },
  { path: "/var/lib/kubelet", what: "Kubernetes credentials" },
];

/** All secret places of a machine with these homes. */
export function secretPlaces(homes: readonly string[]): SecretPlace[] {
  const inHomes = homes.flatMap((home) =>
    IN_HOME.map(([path, what]) => ({ path: join(home, path), what })),
  );
  return [...OF_MACHINE, ...inHomes];
}

/** The first uid that people have, and the one that stands for nobody. */
const UID_OF_PEOPLE = 1_000;
const UID_OF_NOBODY = 65_534;

/**
 * The homes of people in the text of `/etc/passwd`. Those of services are left out: they are
 * folders like `/usr/sbin`, which every task sees.
 */
export function homesOf(passwd: string): string[] {
  return passwd.split("\n").flatMap((line) => {
    const [, , uid, , , home = ""] = line.split(":");
    const isPerson = uid === "0" || (Number(uid) >= UID_OF_PEOPLE && Number(uid) !== UID_OF_NOBODY);
    return isPerson && home.startsWith("/") && home !== "/" ? [home] : [];
  });
}

/** The names of one step that are secret wherever they stand: a copied home is one, too. */
const ANYWHERE = new Map(
  IN_HOME.filter(([path]) => !path.includes("/")).map(([path, what]) => [path, what]),
);
/** Folders of projects are called like this too; in these only the credentials themselves count. */
const ONLY_WITH = new Map([
  [".docker", "config.json"],
  [".aws", "credentials"],
  [".kube", "config"],
  [".terraform.d", "credentials.tfrc.json"],
]);
const SOCKETS = /^(docker|podman|containerd|crio|buildkitd|dockerd)\.sock$/;
/** Two steps: `gcloud` under `.config`, `auth.json` under `.codex`. */
const DEEPER = new Map(
  IN_HOME.filter(([path]) => path.includes("/")).map(([path, what]) => [
    path.split("/").slice(-2).join("/"),
    what,
  ]),
);

/** What is secret about an entry of this name in a folder of that name; undefined for most. */
export function secretByName(
  folder: string,
  name: string,
): { what: string; onlyWith: string | undefined } | undefined {
  if (SOCKETS.test(name)) return { what: "the socket of an engine", onlyWith: undefined };
  const what = ANYWHERE.get(name) ?? DEEPER.get(`${folder}/${name}`);
  return what === undefined ? undefined : { what, onlyWith: ONLY_WITH.get(name) };
}
