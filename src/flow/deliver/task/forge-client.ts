import { setTimeout as wait } from "node:timers/promises";
import * as z from "zod";
import { messageOf, SwornError, visible } from "../../../base/index.ts";

const ATTEMPTS_MAX = 4;
const FIRST_WAIT_MS = 500;
const WAIT_MS_MAX = 30_000;
const ANSWER_MS_MAX = 30_000;
const ANSWER_BYTES_MAX = 1 << 20;
const SAID_CHARS_MAX = 300;
/** A comment has up to 65,536 characters, each of up to six bytes as JSON has it. */
const COMMENTS_A_PAGE = 30;
const COMMENTS_BYTES_MAX = 16 << 20;
const PAGES_MAX = 100;

/** A pull request as far as we look at it; a forge may say more. */
const PullRequest = z.object({
  number: z.int().min(1),
  html_url: z.url().max(2_048),
  state: z.string().max(32),
  head: z.object({ ref: z.string().max(1_000), sha: z.string().max(64) }),
});
export type PullRequest = z.infer<typeof PullRequest>;

/** What became of one, as only the question about this very one is answered. */
const RequestState = PullRequest.extend({
  state: z.enum(["open", "closed"]),
  merged: z.boolean(),
  merge_commit_sha: z
    .string()
    .regex(/^[0-9a-f]{40,64}$/)
    .nullish(),
  base: z.object({ ref: z.string().max(1_000) }),
});
export type RequestState = z.infer<typeof RequestState>;

/** A comment on a pull request, and who wrote it. */
const Comment = z.object({
  id: z.int().min(1),
  html_url: z.url().max(2_048),
  body: z.string().nullish(),
  user: z.object({ login: z.string().max(200), type: z.string().max(32).nullish() }).nullish(),
});
export type Comment = z.infer<typeof Comment>;

/** Which forge, and on whose behalf. */
export interface Forge {
  /** The address of its interface, such as https://api.example.org. */
  readonly api: string;
  /** `owner/name`. */
  readonly repository: string;
  readonly token: string;
  /** What names the token, in words for whoever has to look at it. */
  readonly tokenFrom?: string;
  readonly signal: AbortSignal;
  readonly onStep: (words: string) => void;
  /** Between two attempts; only tests have another one. */
  readonly pause?: (ms: number) => Promise<unknown>;
}

interface Question {
  readonly method: "GET" | "POST" | "PATCH";
  readonly path: string;
  readonly body?: unknown;
  readonly answerBytesMax?: number;
}

/**
 * Speaks to a forge with the interface of GitHub, and only as much of it as a delivery needs. A busy or
 * broken forge is asked again a few times, a redirect never followed: the token would go along.
 */
export class ForgeClient {
  readonly #forge: Forge;

  constructor(forge: Forge) {
    this.#forge = forge;
  }

  /** The pull request of a branch, the newest first; undefined when it never had one. */
  async find(branch: string): Promise<PullRequest | undefined> {
    const { repository } = this.#forge;
    const head = `${repository.split("/")[0]}:${branch}`;
    const query = new URLSearchParams({ head, state: "all", per_page: "10" });
    const answer = await this.#ask({ method: "GET", path: `/repos/${repository}/pulls?${query}` });
    // A forge that does not know the filter answers with the requests of others.
    return this.#parsed(z.array(PullRequest).max(100), answer).find(
      (one) => one.head.ref === branch,
    );
  }

  /** What became of a pull request. @throws SwornError `DELIVERY_FAILED`, also where there is none. */
  async state(number: number): Promise<RequestState> {
    const path = `/repos/${this.#forge.repository}/pulls/${number}`;
    const found = this.#parsed(RequestState, await this.#ask({ method: "GET", path }));
    const isOne = found.number === number && !(found.merged && found.state === "open");
    if (isOne) return found;
    throw this.#failed(undefined, `answered with something else than request ${number}`, 1);
  }

  /** @throws SwornError `DELIVERY_FAILED`. */
  async open(asked: {
    readonly title: string;
    readonly body: string;
    readonly head: string;
    readonly base: string;
  }): Promise<PullRequest> {
    const path = `/repos/${this.#forge.repository}/pulls`;
    const body = { ...asked, maintainer_can_modify: false };
    return this.#parsed(PullRequest, await this.#ask({ method: "POST", path, body }));
  }

  /** Whom the token speaks for; undefined where the forge does not say, as for tokens of a workflow. */
  async ownName(): Promise<string | undefined> {
    const { status, value } = await this.#attempt({ method: "GET", path: "/user" });
    if (status !== 200) return undefined;
    return this.#parsed(z.object({ login: z.string().max(200) }), value).login;
  }

  /** All comments on a pull request, the oldest first. @throws SwornError `DELIVERY_FAILED`. */
  async comments(number: number): Promise<Comment[]> {
    const found: Comment[] = [];
    for (let page = 1; page <= PAGES_MAX; page += 1) {
      const query = new URLSearchParams({ per_page: `${COMMENTS_A_PAGE}`, page: `${page}` });
      const path = `/repos/${this.#forge.repository}/issues/${number}/comments?${query}`;
      const answerBytesMax = COMMENTS_BYTES_MAX;
      const answer = await this.#ask({ method: "GET", path, answerBytesMax });
      const some = this.#parsed(z.array(Comment).max(1_000), answer);
      found.push(...some);
      if (some.length < COMMENTS_A_PAGE) return found;
    }
    throw this.#failed(
      undefined,
      `pull request ${number} has too many comments to look through`,
      1,
    );
  }

  /** Writes a comment on a pull request. @throws SwornError `DELIVERY_FAILED`. */
  async comment(number: number, body: string): Promise<Comment> {
    const path = `/repos/${this.#forge.repository}/issues/${number}/comments`;
    return this.#parsed(Comment, await this.#ask({ method: "POST", path, body: { body } }));
  }

  /** Writes another text into a comment. @throws SwornError `DELIVERY_FAILED`. */
  async editComment(id: number, body: string): Promise<Comment> {
    const path = `/repos/${this.#forge.repository}/issues/comments/${id}`;
    return this.#parsed(Comment, await this.#ask({ method: "PATCH", path, body: { body } }));
  }

  async #ask(question: Question): Promise<unknown> {
    const { signal, onStep, api } = this.#forge;
    const pause = this.#forge.pause ?? ((ms: number) => wait(ms, undefined, { signal }));
    for (let attempt = 1; ; attempt += 1) {
      const { status, value, why, waitMs, isLimited } = await this.#attempt(question);
      if (status !== undefined && status >= 200 && status < 300) return value;
      if (!mayRepeat(question, status) || attempt === ATTEMPTS_MAX || signal.aborted) {
        throw this.#failed(status, why ?? "", attempt, isLimited);
      }
      const ms = Math.min(WAIT_MS_MAX, waitMs ?? FIRST_WAIT_MS * 2 ** (attempt - 1));
      onStep(`${new URL(api).host} ${status ?? why}; again in ${Math.ceil(ms / 1_000)} s`);
      await pause(ms);
    }
  }

  async #attempt({ method, path, body, answerBytesMax }: Question): Promise<{
    readonly status?: number;
    readonly value?: unknown;
    readonly why?: string;
    readonly waitMs?: number | undefined;
    readonly isLimited?: boolean;
  }> {
    const { api, token, signal } = this.#forge;
    try {
      const answer = await fetch(`${api.replace(/\/+$/, "")}${path}`, {
        method,
        redirect: "manual",
        signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS_MAX)]),
        headers: {
          accept: "application/vnd.github+json",
          "content-type": "application/json",
          "user-agent": "sworn",
          "x-github-api-version": "2022-11-28",
          authorization: `Bearer ${token}`,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await boundedText(answer, answerBytesMax ?? ANSWER_BYTES_MAX);
      const { status } = answer;
      if (status < 200 || status >= 300) {
        return { status, why: text, waitMs: askedWait(answer), isLimited: isLimited(answer) };
      }
      return { status, value: JSON.parse(text) as unknown };
    } catch (error) {
      return { why: messageOf(error) };
    }
  }

  #parsed<T>(shape: z.ZodType<T>, value: unknown): T {
    const parsed = shape.safeParse(value);
    if (parsed.success) return parsed.data;
    throw this.#failed(undefined, "answered in a form that no forge has", 1);
  }

  /** What a forge says may echo what was sent to it; its token is taken out before anybody reads it. */
  #failed(
    status: number | undefined,
    said: string,
    attempts: number,
    isLimited = false,
  ): SwornError {
    const { api, token, repository } = this.#forge;
    const words = visible(said.replaceAll(token, "[token]").replaceAll(/\s+/g, " "));
    const tried = attempts === 1 ? "" : `, ${attempts} times`;
    const next =
      status !== undefined && status >= 300 && status < 400
        ? "; redirects are not followed, list the address that it leads to"
        : isLimited
          ? "; it limits how often it is asked, try again later"
          : status === 401 || status === 403
            ? `; look at the token that ${this.#forge.tokenFrom ?? "token_env"} names`
            : "";
    const what = status === undefined ? "cannot be asked" : `answered ${status}`;
    const tail = words === "" ? "" : `: ${words.slice(0, SAID_CHARS_MAX)}`;
    return new SwornError(
      "DELIVERY_FAILED",
      `${new URL(api).host} ${what}${tried} for ${repository}${next}${tail}`,
    );
  }
}

/** Only what changes nothing the second time can be asked twice: whether the answer to a request got lost is not known. */
function mayRepeat({ method }: Question, status: number | undefined): boolean {
  if (status === 429 || status === 503) return true;
  return method !== "POST" && (status === undefined || status >= 500);
}

async function boundedText(answer: Response, bytesMax: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.length;
    if (bytes > bytesMax) {
      await answer.body?.cancel().catch(() => {});
      throw new Error(`answered with more than ${bytesMax} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Seconds alone; a date would need the server's clock to be ours. */
function askedWait({ headers }: Response): number | undefined {
  const text = headers.get("retry-after") ?? "";
  return /^\d{1,6}$/.test(text) ? Number(text) * 1_000 : undefined;
}

/** GitHub says 403 for this as well, and only a header tells it from a token that may not. */
function isLimited({ status, headers }: Response): boolean {
  return status === 429 || (status === 403 && headers.get("x-ratelimit-remaining") === "0");
}
