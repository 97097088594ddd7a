import { join } from "node:path";
import { parseIni } from "./ini.ts";
import type { RegistrySource } from "./registry-source.ts";

const VARIABLES = ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE"];

/**
 * PEM of the authorities that the user's own configuration adds: npm's `cafile` and the variables
 * that tools agree on. A company's network is often one that reads TLS with an authority of its own.
 */
export function userAuthorities({ env, home, readFile }: RegistrySource): string[] {
  const settings = parseIni(readFile(env["npm_config_userconfig"] ?? join(home, ".npmrc")) ?? "");
  const cafile =
    env["npm_config_cafile"] ?? settings.findLast(({ key }) => key === "cafile")?.value;
  const paths = [cafile, ...VARIABLES.map((name) => env[name])];
  return [...new Set(paths)].flatMap((path) => {
    const text = path === undefined || path === "" ? undefined : readFile(path);
    return text?.includes("-----BEGIN CERTIFICATE-----") ? [text] : [];
  });
}
