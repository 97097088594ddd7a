import { assert, SwornError } from "../base/index.ts";
import { Git, gitFailed, plainWords } from "./git.ts";
import type { Environment } from "./git-environment.ts";
import type { References } from "./references.ts";
import { assertId } from "./tree-listing.ts";

/** One plain spelling of a branch: nothing in it could be read as an option, a range or a force. */
const BRANCH =
  /^(?=.{1,200}$)(?!.*(?:\.\.|\/\/|\.lock(?:\/|$)|\.(?:\/|$)))[A-Za-z0-9][\w./-]*[\w-]$/;
const HEADS = "refs/heads/";
/**
 * Nobody is asked anything. Only a host whose key is known gets the commits, whatever the user's own
 * settings say for other occasions, and neither the user's agent nor display goes along.
 */
const SSH = "ssh -a -x -o BatchMode=yes -o StrictHostKeyChecking=yes";
const UNKNOWN_HOST =
  "; its key is not the one that you know, or you know none: connect to it once with ssh and compare what it shows";

/** Where a branch is pushed to, and what is shown there so that it is let in. */
export interface PushTarget {
  readonly url: string;
  /** Sent along in a header; given to git in its environment, where no list of processes shows it. */
  readonly token?: string | undefined;
}

/** What is needed to publish commits of a repository. */
export interface PublisherOptions {
  readonly env: Environment;
  readonly signal: AbortSignal | undefined;
  /** Asks about and writes references, with the repository's configuration overruled. */
  readonly references: References;
  /** A bare repository of ours that reads the same objects: no setting of the user's repository counts. */
  readonly folder: string;
  readonly own: Environment;
}

/** Makes branches and pushes them. It has no way to move one that is there: nothing here is forced. */
export class Publisher {
  readonly #options: PublisherOptions;

  constructor(options: PublisherOptions) {
    this.#options = options;
  }

  /** Whether a name can be a branch here. */
  static isBranch(name: string): boolean {
    return BRANCH.test(name);
  }

  /** The branches that somebody has checked out, in any work tree of the repository. */
  async checkedOut(): Promise<Set<string>> {
    const args = ["worktree", "list", "--porcelain"];
    const { code, out, complaint } = await this.#options.references.git.ask(args);
    if (code !== 0) throw gitFailed(args, complaint);
    const lines = out.toString("utf8").split("\n");
    const begin = `branch ${HEADS}`;
    return new Set(
      lines.filter((line) => line.startsWith(begin)).map((line) => line.slice(begin.length)),
    );
  }

  /** The commit that a branch is at; undefined when there is none of that name. */
  async branchAt(name: string): Promise<string | undefined> {
    assert(BRANCH.test(name), "the name can be a branch");
    return this.#options.references.commitCalled(`${HEADS}${name}`);
  }

  /**
   * Makes a branch where there is none.
   *
   * @throws SwornError `ALREADY_EXISTS` when there is one by now; it is left as it is.
   */
  async create(name: string, commit: string): Promise<void> {
    assert(BRANCH.test(name), "the name can be a branch");
    const complaint = await this.#options.references.create(name, commit);
    if (complaint === undefined) return;
    const why = `the branch ${name} could not be made: ${plainWords(complaint)}`;
    throw new SwornError("ALREADY_EXISTS", why);
  }

  /** The commit that a branch of a remote is at; undefined when the remote has none of that name. */
  async remoteAt(target: PushTarget, name: string): Promise<string | undefined> {
    assert(BRANCH.test(name), "the name can be a branch");
    const ref = `${HEADS}${name}`;
    const { code, out, complaint } = await this.#remote(target).ask([
      "ls-remote",
      "--refs",
      "--",
      target.url,
      ref,
    ]);
    if (code !== 0) throw unreached(target, complaint);
    for (const line of out.toString("utf8").split("\n")) {
      const [id = "", found] = line.split("\t");
      if (found === ref && /^[0-9a-f]{40,64}$/.test(id)) return id;
    }
    return undefined;
  }

  /**
   * Pushes a commit as a new branch. A branch that came to be in the meantime is not moved: the push
   * is none by force, and the remote is asked to take it only where nothing is.
   *
   * @throws SwornError `DELIVERY_FAILED`.
   */
  async push(target: PushTarget, name: string, commit: string): Promise<void> {
    assert(BRANCH.test(name), "the name can be a branch");
    assertId(commit);
    const args = ["push", "--no-verify", "--porcelain", "--atomic", "--no-follow-tags"];
    // A condition and no force: with nothing behind the colon, nothing may be there. Without it git
    // would move on a branch that came to be since we looked, where it is an older commit of ours.
    args.push(`--force-with-lease=${HEADS}${name}:`);
    const refs = ["--", target.url, `${commit}:${HEADS}${name}`];
    const { code, complaint, out } = await this.#remote(target).ask([...args, ...refs]);
    if (code === 0) return;
    throw unreached(target, `${out.toString("utf8").slice(0, 1_000)} ${complaint}`);
  }

  #remote({ token, url }: PushTarget): Git {
    const { env, signal, folder, own } = this.#options;
    // Over ssh it would be of no use, and in the environment of one more program.
    const header =
      token === undefined || !url.startsWith("https://")
        ? {}
        : {
            GIT_CONFIG_COUNT: "2",
            GIT_CONFIG_KEY_0: `http.${url}.extraHeader`,
            GIT_CONFIG_VALUE_0: `Authorization: Basic ${Buffer.from(`x-access-token:${token}`).toString("base64")}`,
            // The header would go along to wherever a redirect leads.
            GIT_CONFIG_KEY_1: "http.followRedirects",
            GIT_CONFIG_VALUE_1: "false",
          };
    const open = {
      GIT_ALLOW_PROTOCOL: "https:ssh:file",
      GIT_SSH_COMMAND: SSH,
      // Who the user is, and whom the user trusts: neither is the project's to say.
      SSH_AUTH_SOCK: env["SSH_AUTH_SOCK"],
      GIT_SSL_CAINFO: env["GIT_SSL_CAINFO"],
    };
    return new Git({ folder, env, own: { ...own, ...open, ...header }, signal });
  }
}

/** A remote's words can hold what was sent to it, the token above all. */
function unreached({ url, token }: PushTarget, complaint: string): SwornError {
  const basic = token && Buffer.from(`x-access-token:${token}`).toString("base64");
  const words = [token, basic].reduce<string>(
    (text, secret) => (secret ? text.replaceAll(secret, "[token]") : text),
    plainWords(complaint),
  );
  const next = /host key|host identification/i.test(words) ? UNKNOWN_HOST : "";
  return new SwornError("DELIVERY_FAILED", `${url} did not take it: ${words.slice(0, 500)}${next}`);
}
