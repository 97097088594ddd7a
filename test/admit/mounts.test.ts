import { chmodSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { admit, factsOfMounts, homesOf, type Surroundings } from "../../src/admit/index.ts";
import { loadPolicies } from "../../src/policy/index.ts";
import type { MountKind } from "../../src/schema/admission.ts";
import { temporaryFolder } from "../fake/sandbox.ts";
import { NOW, startFacts } from "../policy/facts.ts";
import { verifies } from "../verifies.ts";

let root: string;
let home: string;
let surroundings: Surroundings;
beforeEach(() => {
  root = realpathSync(temporaryFolder());
  home = join(root, "home");
  mkdirSync(home);
  surroundings = { homes: [home], state: join(root, "state") };
});

function write(path: string, content = "x"): string {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
  return join(root, path);
}

function folder(path: string): string {
  mkdirSync(join(root, path), { recursive: true });
  return join(root, path);
}

function look(source: string, kind: MountKind = "input") {
  const [facts] = factsOfMounts(
    [{ source, target: "/workspace/input", isWritable: false, kind }],
    surroundings,
  );
  if (!facts) throw new Error("one mount gives one fact");
  return facts;
}

test("an ordinary folder is nothing special", () => {
  write("project/src/index.ts");
  write("project/.npmrc", "registry=https://registry.example.org/\n");
  write("project/.docker/compose.yaml");
  write("project/.git/config");
  expect(look(join(root, "project"))).toEqual({
    source: join(root, "project"),
    target: "/workspace/input",
    writable: false,
    kind: "input",
    secret: null,
    remote: false,
    owner: process.getuid?.(),
  });
});

verifies(
  ["004-38", "004-62"],
  "a secret place is named, mounted itself, from inside, or as part of more",
  async () => {
    const places = {
      ".ssh/id_ed25519": "SSH keys",
      ".aws/credentials": "AWS credentials",
      ".config/gcloud/credentials.db": "Google Cloud credentials",
      ".kube/config": "Kubernetes credentials",
      ".netrc": "passwords for hosts",
      ".docker/config.json": "credentials for container registries",
      ".gnupg/private-keys-v1.d/key": "GnuPG keys",
      ".password-store/mail.gpg": "a password store",
      ".config/gh/hosts.yml": "GitHub tokens",
      ".claude/.credentials.json": "tokens of an agent",
      ".mozilla/firefox/profile/logins.json": "a browser profile",
      ".config/google-chrome/Default/Cookies": "a browser profile",
      ".config/chromium/Default/Cookies": "a browser profile",
    };
    const policies = await loadPolicies();
    for (const [path, what] of Object.entries(places)) {
      const file = write(join("home", path));
      for (const source of [file, dirname(file) === home ? file : dirname(file)]) {
        const facts = look(source);
        expect(facts.secret, source).toContain(what);
        const { decision, matched } = await admit(
          startFacts({ mounts: [facts] }),
          policies,
          [],
          () => NOW,
        );
        expect({ decision, matched }).toEqual({ decision: "deny", matched: ["S.1"] });
      }
    }
    expect(look(home).secret).toMatch(/^it holds/);
    expect(look(root).secret).toMatch(/^it holds/);
    expect(look("/").secret).toMatch(/^it holds/);
  },
);

test("a place in a home counts before it is there: it may be by the time the task runs", () => {
  expect(look(home).secret).toMatch(/it holds .*\.ssh \(SSH keys\)/);
});

test("a link does not hide where it leads", () => {
  write("home/.ssh/id_ed25519");
  symlinkSync(join(home, ".ssh"), join(root, "harmless"));
  const facts = look(join(root, "harmless"));
  expect(facts.source).toBe(join(home, ".ssh"));
  expect(facts.secret).toContain("SSH keys");
});

test("a home behind a link is known under both names", () => {
  write("home/.aws/credentials");
  symlinkSync(home, join(root, "me"));
  surroundings = { ...surroundings, homes: [join(root, "me")] };
  expect(look(join(home, ".aws")).secret).toContain("AWS credentials");
});

test("a secret place that is a link is known where it leads, too", () => {
  folder("vault/keys");
  symlinkSync(join(root, "vault"), join(home, ".ssh"));
  expect(look(join(root, "vault/keys")).secret).toContain("SSH keys");
});

test.each([
  ["project/backup/.ssh/id_rsa", "SSH keys"],
  ["project/deep/a/b/c/.netrc", "passwords for hosts"],
  ["project/old/.aws/credentials", "AWS credentials"],
  ["project/x/.config/gcloud/credentials.db", "Google Cloud credentials"],
  ["project/x/.cargo/credentials.toml", "tokens of a package index"],
  ["project/.docker/config.json", "credentials for container registries"],
  ["project/.git-credentials", "git passwords"],
])("a copy of a secret in a project is found: %s", (path, what) => {
  write(path);
  expect(look(join(root, "project")).secret).toContain(what);
});

test("an .npmrc counts when it has a token, a password or cannot be looked at", () => {
  const path = write("project/.npmrc", "//registry.example.org/:_authToken=abc\n");
  expect(look(join(root, "project")).secret).toContain("a token of a package registry");
  writeFileSync(path, "_auth=abc\n");
  expect(look(join(root, "project")).secret).toContain("a token");
  writeFileSync(path, "save-exact=true\n");
  expect(look(join(root, "project")).secret).toBeNull();
  folder("other/.npmrc");
  expect(look(join(root, "other")).secret).toContain("cannot be read");
});

test("links inside a folder are not followed: the sandbox decides where they lead", () => {
  write("home/.ssh/id_ed25519");
  folder("project");
  symlinkSync(join(home, ".ssh"), join(root, "project/keys"));
  expect(look(join(root, "project")).secret).toBeNull();
});

test("the runtime's own state is secret, but a workspace in its folder of runs is not", () => {
  const workspace = folder("state/runs/t1/input");
  folder("state/keys");
  expect(look(join(root, "state")).secret).toContain("the runtime's own keys");
  expect(look(join(root, "state/keys")).secret).toContain("the runtime's own keys");
  expect(look(workspace).secret).toContain("the runtime's own keys");
  surroundings = { ...surroundings, runs: join(root, "state/runs") };
  expect(look(workspace).secret).toBeNull();
  expect(look(join(root, "state/keys")).secret).toContain("the runtime's own keys");
  expect(look(join(root, "state/runs")).secret).toContain("the runtime's own keys");
  symlinkSync(join(root, "state/keys"), join(root, "state/runs/t2"));
  expect(look(join(root, "state/runs/t2")).secret).toContain("the runtime's own keys");
});

test("an engine's socket is found by its name, wherever it is", async () => {
  const path = join(folder("project/run"), "docker.sock");
  const server = createServer().listen(path);
  onTestFinished(() => void server.close());
  await new Promise((ready) => server.once("listening", ready));
  expect(look(path).secret).toContain("the socket of an engine");
  expect(look(join(root, "project")).secret).toContain("the socket of an engine");
});

test.each(["/proc", "/proc/self", "/sys", "/dev", "/dev/null", "/etc"])(
  "%s is no mount for a task",
  (path) => {
    expect(look(path, "system").secret).not.toBeNull();
  },
);

test("programs of the system are no secret", () => {
  expect(look("/usr", "system").secret).toBeNull();
});

test("a folder that cannot be searched counts as secret", () => {
  const closed = folder("project/closed");
  chmodSync(closed, 0o000);
  onTestFinished(() => chmodSync(closed, 0o755));
  if (process.getuid?.() === 0) {
    // Root can look everywhere; somebody who may pass through to here cannot.
    chmodSync(root, 0o755);
    process.seteuid?.(65_534);
    onTestFinished(() => process.seteuid?.(0));
  }
  expect(look(join(root, "project")).secret).toContain("could not be searched");
});

test("a folder that is deeper than anybody makes it counts as not searched", () => {
  folder(`project/${"d/".repeat(140)}`);
  expect(look(join(root, "project")).secret).toContain("could not be searched");
});

test("the homes of people are those of users and of root, not of services", () => {
  const passwd = [
    "root:x:0:0:root:/home/admin:/bin/bash",
    "daemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin",
    "ada:x:1000:1000:Ada,,,:/home/ada:/bin/bash",
    "nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin",
    "odd:x:1001:1001::/:/bin/sh",
    "short:x",
    "",
  ].join("\n");
  expect(homesOf(passwd)).toEqual(["/home/admin", "/home/ada"]);
});

test("a source that is not there is an error", () => {
  expect(() => look(join(root, "gone"))).toThrow(/the mount source .*gone is not there/);
});

test("a target is taken in the form that an engine would use", () => {
  const [facts] = factsOfMounts(
    [{ source: folder("p"), target: "/workspace/input/../../etc", isWritable: true, kind: "data" }],
    surroundings,
  );
  expect(facts).toMatchObject({ target: "/etc", writable: true, kind: "data" });
});

test("a folder on a remote file system, or one that has such a file system inside, is remote", () => {
  folder("share/a");
  const line = (path: string, type: string) =>
    `30 1 0:1 / ${path} rw,relatime shared:1 - ${type} src rw`;
  const withMounts = (...lines: string[]) => {
    surroundings = { ...surroundings, mountInfo: [line("/", "ext4"), ...lines, ""].join("\n") };
  };
  withMounts();
  expect(look(join(root, "share")).remote).toBe(false);
  for (const type of ["nfs", "nfs4", "cifs", "9p", "fuse.sshfs", "fuse.unheard-of", "virtiofs"]) {
    withMounts(line(join(root, "share"), type));
    expect(look(join(root, "share")).remote, type).toBe(true);
    expect(look(join(root, "share/a")).remote, type).toBe(true);
    expect(look(root).remote, type).toBe(true);
    expect(look(folder("share2")).remote, type).toBe(false);
  }
  withMounts(line(join(root, "share"), "nfs"), line(join(root, "share/a"), "ext4"));
  expect(look(join(root, "share/a")).remote).toBe(false);
  withMounts(line(join(root, "share"), "ext4"), line(join(root, "share"), "nfs"));
  expect(look(join(root, "share/a")).remote).toBe(true);
  withMounts(line(join(root, "with\\040blank"), "nfs"));
  expect(look(folder("with blank")).remote).toBe(true);
});

test("a secret place that is bound to another path is found by what lies beneath", () => {
  const line = (path: string, device: string, top: string) =>
    `30 1 ${device} ${top} ${path} rw - ext4 /dev/sda rw`;
  const withMounts = (...lines: string[]) => {
    surroundings = { ...surroundings, mountInfo: [line("/", "8:1", "/"), ...lines].join("\n") };
  };
  const bound = folder("mnt/bound");
  withMounts();
  expect(look(bound).secret).toBeNull();
  withMounts(line(bound, "8:1", join(home, ".ssh")));
  expect(look(bound).secret).toContain(`it shows ${join(home, ".ssh")} (SSH keys)`);
  expect(look(join(root, "mnt")).secret).toContain("under another path");
  withMounts(line(bound, "8:1", join(home, ".ssh/deeper")));
  expect(look(bound).secret).toContain("SSH keys");
  withMounts(line(bound, "8:1", home));
  expect(look(bound).secret).toContain("under another path");
  // The same path on another device is another folder.
  withMounts(line(bound, "8:2", join(home, ".ssh")));
  expect(look(bound).secret).toBeNull();
});

test("where the list of file systems cannot be understood, everything is remote", () => {
  for (const mountInfo of ["", "nonsense\n", "30 1 0:1 / /mnt rw - ext4 a rw\n"]) {
    surroundings = { ...surroundings, mountInfo };
    expect(look(folder("p")).remote).toBe(true);
  }
});
