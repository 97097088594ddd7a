import { SwornError } from "../base/index.ts";

/** The proxy that the user's own network asks for, from the user's own settings. */
export interface UpstreamProxy {
  readonly scheme: "http" | "https";
  readonly host: string;
  readonly port: number;
  /** The value of `Proxy-Authorization`, where the setting has a user name. */
  readonly authorization?: string;
  /** Hosts, and domains below them, that are reached without it. */
  readonly except: readonly string[];
}

/** The user's proxies for TLS and for plain HTTP; most users have none, some have one for both. */
export interface UpstreamProxies {
  readonly https?: UpstreamProxy | undefined;
  readonly http?: UpstreamProxy | undefined;
}

type Settings = Readonly<Record<string, string | undefined>>;

/**
 * The user's proxies, from `HTTPS_PROXY`, `http_proxy` and `NO_PROXY`. Only the lower-case spelling
 * counts for plain HTTP, as everywhere: in upper case a web server's client could set it.
 *
 * @throws SwornError `INPUT_INVALID` for a setting that is no http or https URL.
 */
export function upstreamProxiesFrom(env: Settings): UpstreamProxies {
  const except = env["no_proxy"] ?? env["NO_PROXY"] ?? "";
  return {
    https: parseProxy("HTTPS_PROXY", env["https_proxy"] ?? env["HTTPS_PROXY"], except),
    http: parseProxy("http_proxy", env["http_proxy"], except),
  };
}

/**
 * A proxy from one setting; undefined when it is not set.
 *
 * @throws SwornError `INPUT_INVALID` that names the setting, never its value: it may hold a password.
 */
export function parseProxy(name: string, setting = "", noProxy = ""): UpstreamProxy | undefined {
  if (setting === "") return undefined;
  const url = URL.canParse(setting) ? new URL(setting) : undefined;
  const scheme = url?.protocol.slice(0, -1);
  if (url === undefined || (scheme !== "http" && scheme !== "https")) {
    throw new SwornError("INPUT_INVALID", `${name}: expected an http:// or https:// URL`);
  }
  const except = noProxy.toLowerCase().split(",");
  return {
    scheme,
    host: url.hostname,
    port: Number(url.port) || (scheme === "https" ? 443 : 80),
    ...(url.username === "" ? {} : { authorization: basicCredentials(url) }),
    except: except.map((one) => one.trim().replace(/^\*?\./, "")).filter((one) => one !== ""),
  };
}

/** The value of a header that carries the user name and password of a URL. */
export function basicCredentials({ username, password }: URL): string {
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Basic ${Buffer.from(pair).toString("base64")}`;
}

/** The user's proxy that leads to a host; undefined where it is reached without one. */
export function proxyTo(
  {
    scheme,
    host,
    proxies,
  }: {
    readonly scheme: "http" | "https";
    readonly host: string;
    readonly proxies?: UpstreamProxies;
  },
  general: UpstreamProxies,
): UpstreamProxy | undefined {
  const proxy = (proxies ?? general)[scheme];
  const isExcepted = proxy?.except.some(
    (one) => one === "*" || host === one || host.endsWith(`.${one}`),
  );
  return isExcepted ? undefined : proxy;
}
