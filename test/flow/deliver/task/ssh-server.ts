import { execFileSync, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { userInfo } from "node:os";
import { delimiter, join } from "node:path";
import { onTestFinished } from "vitest";

/** An OpenSSH server on loopback, and a client that knows nothing but what is in this folder. */
export interface SshServer {
  /** Without a path. */
  readonly url: string;
  /** A PATH whose `ssh` is the system's own, with the folder's configuration in place of the user's. */
  readonly path: string;
  /** The hosts that the client knows. */
  readonly knownHosts: string;
  /** The line that makes the server known. */
  readonly knownLine: string;
  /** Lines for the client's configuration. */
  configure(...lines: string[]): void;
  /** Shell lines that the server runs just before it takes a push. */
  beforePush(script: string): void;
  /** What the server was asked to run, in order. */
  asked(): string[];
}

/**
 * Starts the system's sshd for each connection, as inetd would: the port is ours from the start, and
 * nothing is left when the test ends. Host key, user key and configuration are made here.
 */
export async function sshServer(folder: string): Promise<SshServer> {
  const at = (name: string) => join(folder, name);
  const [sshd, ssh, keygen] = ["sshd", "ssh", "ssh-keygen"].map(programCalled);
  for (const name of ["host_key", "user_key"]) {
    execFileSync(keygen ?? "", ["-q", "-t", "ed25519", "-N", "", "-C", "", "-f", at(name)]);
  }
  // sshd has to find it when root starts it; the system's own service makes it the same way.
  if (process.getuid?.() === 0) mkdirSync("/run/sshd", { recursive: true, mode: 0o755 });
  write(at("serve"), serveScript(at), 0o755);
  write(at("sshd_config"), serverConfig(at));
  const server = createServer({ pauseOnConnect: true }, (socket) => {
    const args = ["-i", "-e", "-f", at("sshd_config")];
    const child = spawn(sshd ?? "", args, { stdio: [socket, socket, "ignore"] });
    // It has the connection now; ours would keep it open.
    child.once("spawn", () => socket.destroy());
    onTestFinished(() => void child.kill("SIGKILL"));
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const clientLines = [`IdentityFile ${at("user_key")}`, "IdentitiesOnly yes"];
  clientLines.push("IdentityAgent none", `UserKnownHostsFile ${at("known_hosts")}`);
  clientLines.push("GlobalKnownHostsFile /dev/null");
  write(at("ssh_config"), clientLines);
  write(at("known_hosts"), []);
  mkdirSync(at("bin"));
  const call = `exec '${ssh}' -F '${at("ssh_config")}' "$@"`;
  write(join(at("bin"), "ssh"), ["#!/bin/sh", call], 0o755);
  const [kind, key] = readFileSync(at("host_key.pub"), "utf8").split(" ");
  return {
    url: `ssh://${userInfo().username}@127.0.0.1:${port}`,
    path: [at("bin"), process.env["PATH"]].join(delimiter),
    knownHosts: at("known_hosts"),
    knownLine: `[127.0.0.1]:${port} ${kind} ${key?.trim()}`,
    configure: (...lines) => write(at("ssh_config"), [...clientLines, ...lines]),
    beforePush: (script) => write(at("before-push"), [script]),
    asked: () => (existsSync(at("asked")) ? linesOf(at("asked")) : []),
  };
}

type At = (name: string) => string;

/** Runs nothing but git's two services, and notes which. */
function serveScript(at: At): string[] {
  return [
    "#!/bin/sh",
    `printf '%s\\n' "$SSH_ORIGINAL_COMMAND" >> '${at("asked")}'`,
    'case "$SSH_ORIGINAL_COMMAND" in',
    `  git-receive-pack*) [ ! -f '${at("before-push")}' ] || . '${at("before-push")}' ;;`,
    "esac",
    'exec git shell -c "$SSH_ORIGINAL_COMMAND"',
  ];
}

function serverConfig(at: At): string[] {
  return [
    `HostKey ${at("host_key")}`,
    `AuthorizedKeysFile ${at("user_key.pub")}`,
    `ForceCommand ${at("serve")}`,
    `PidFile none`,
    // The folders above are a test's and not a home.
    "StrictModes no",
    "UsePAM no",
    "PermitRootLogin prohibit-password",
    "PasswordAuthentication no",
    "KbdInteractiveAuthentication no",
  ];
}

function programCalled(name: string): string {
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin"];
  const found = folders.map((one) => join(one, name)).find((one) => existsSync(one));
  if (found === undefined) throw new Error(`${name} is missing: scripts/setup-system installs it`);
  return found;
}

function write(path: string, lines: readonly string[], mode = 0o600): void {
  writeFileSync(path, lines.map((line) => `${line}\n`).join(""));
  chmodSync(path, mode);
}

function linesOf(path: string): string[] {
  return readFileSync(path, "utf8").trimEnd().split("\n");
}
