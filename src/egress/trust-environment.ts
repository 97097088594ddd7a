/** What makes the programs inside use the proxy and trust its authority. */
export interface TrustEnvironment {
  readonly env: Readonly<Record<string, string>>;
  /** Files by absolute path inside; they lie beside the authority's certificate. */
  readonly files: Readonly<Record<string, string>>;
}

/**
 * The variables and files for npm, pip, cargo, go, git, curl and apt. The run's authority replaces
 * the well-known ones: inside, nothing else can be reached anyway.
 *
 * @param caPath the authority's certificate, as the inside sees it
 * @param proxyPort where the relay listens on the inside's loopback
 */
export function trustEnvironment(caPath: string, proxyPort: number): TrustEnvironment {
  const proxy = `http://127.0.0.1:${proxyPort}`;
  const aptPath = caPath.replace(/[^/]*$/, "apt.conf");
  const env: Record<string, string> = {
    // Read by curl, git, go, pip and most others; some know one case only.
    http_proxy: proxy,
    https_proxy: proxy,
    HTTP_PROXY: proxy,
    HTTPS_PROXY: proxy,
    no_proxy: "",
    NO_PROXY: "",
    SSL_CERT_FILE: caPath,
    CURL_CA_BUNDLE: caPath,
    GIT_SSL_CAINFO: caPath,
    GIT_TERMINAL_PROMPT: "0",
    NODE_EXTRA_CA_CERTS: caPath,
    npm_config_cafile: caPath,
    npm_config_proxy: proxy,
    npm_config_https_proxy: proxy,
    npm_config_strict_ssl: "true",
    // These would ask for more than packages, and be refused.
    npm_config_audit: "false",
    npm_config_fund: "false",
    npm_config_update_notifier: "false",
    PIP_CERT: caPath,
    PIP_PROXY: proxy,
    PIP_DISABLE_PIP_VERSION_CHECK: "1",
    REQUESTS_CA_BUNDLE: caPath,
    CARGO_HTTP_CAINFO: caPath,
    CARGO_HTTP_PROXY: proxy,
    CARGO_HTTP_MULTIPLEXING: "false",
    APT_CONFIG: aptPath,
  };
  const apt = [
    `Acquire::http::Proxy "${proxy}";`,
    `Acquire::https::Proxy "${proxy}";`,
    `Acquire::https::CaInfo "${caPath}";`,
    // Read first, so it can keep later files from leading elsewhere.
    'Dir::Etc::parts "/dev/null";',
    'Dir::Etc::main "/dev/null";',
    "",
  ].join("\n");
  return { env, files: { [aptPath]: apt } };
}
