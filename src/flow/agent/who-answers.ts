import { connect } from "node:net";
import { proxyTo, type UpstreamProxies } from "../../egress/index.ts";

/** Whoever takes longer than this to take a connection answers no agent either. */
const WAIT_MS = 2_000;

/** Of this machine: whom a project names elsewhere learns nothing from being looked for, not even that we are here. */
const OWN = /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/;

/** Where a model's service is. */
export interface ServicePlace {
  readonly scheme: "http" | "https";
  readonly host: string;
  readonly port: number;
}

/**
 * Looks who takes connections on this machine, or at the user's own proxy, each place once. Nothing is sent to
 * anybody, and no credential is read.
 */
export class WhoAnswers {
  readonly #proxies: UpstreamProxies;
  readonly #asked = new Map<string, Promise<string | undefined>>();

  /** @param proxies where the user's network asks for one, it is what is connected to */
  constructor(proxies: UpstreamProxies) {
    this.#proxies = proxies;
  }

  /** Why nobody can be reached there, in words; undefined when somebody takes connections. */
  whyNobody(place: ServicePlace): Promise<string | undefined> {
    const proxy = proxyTo(place, this.#proxies);
    const { host, port } = proxy ?? place;
    if (proxy === undefined && !OWN.test(host)) return Promise.resolve(undefined);
    const at = `${host}:${port}`;
    const what = proxy === undefined ? at : `the proxy ${at}, on the way to ${place.host}`;
    const asked = this.#asked.get(at) ?? whyClosed(host, port);
    this.#asked.set(at, asked);
    return asked.then((why) =>
      why === undefined ? undefined : `nobody answers at ${what}: ${why}`,
    );
  }
}

function whyClosed(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host: host.replace(/^\[|\]$/g, ""), port });
    const end = (why: string | undefined) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(why);
    };
    const timer = setTimeout(() => end(`no connection within ${WAIT_MS / 1_000} seconds`), WAIT_MS);
    socket.once("connect", () => end(undefined));
    socket.on("error", (error: NodeJS.ErrnoException) => end(error.code ?? "no connection"));
  });
}
