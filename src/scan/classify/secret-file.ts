import { createPrivateKey } from "node:crypto";
import { isSecretName } from "./find-all.ts";

/** Settings with secrets in them, unless the name says that they are a pattern to copy. */
const ENVIRONMENT = /^(?:\.env(?:rc|\..{1,200})?|.{1,200}\.env)$/i;
const PATTERN_TO_COPY = /(?:^|[._-])(?:example|sample|template|dist|defaults?|schema)(?:\.env)?$/i;
/** Files that hold nothing but keys and passwords, by the names their tools give them. */
const KEY_FILE =
  /^(?:id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?|identity|\.netrc|_netrc|\.git-credentials|\.pgpass|\.htpasswd|.{1,200}\.(?:p12|pfx|jks|keystore|kdbx|ppk))$/i;
const KEY_PATH =
  /(?:^|\/)(?:\.aws\/credentials|\.kube\/config|\.docker\/config\.json|\.ssh\/[^/]{1,200}|\.gnupg\/(?:private-keys-v1\.d\/|secring))/i;
const PUBLIC_HALF = /(?:\.pub|\/known_hosts(?:\.old)?|\/authorized_keys)$/i;

/** A key is small; what is larger and starts alike is something else. */
const KEY_BYTES_MAX = 16_384;
const CONTAINERS: readonly (readonly [rule: string, start: string])[] = [
  ["java-keystore", "feedfeed"],
  ["java-keystore", "cececece"],
  ["keepass-database", "03d9a29a"],
];
/** The content type that a PKCS #12 file names near its start. */
const PKCS7_DATA = Buffer.from("06092a864886f70d010701", "hex");

/** The rule by which a file is a secret as a whole, whatever a search of its text finds. */
export function secretFileRule(path: string, bytes: Buffer): string | undefined {
  if (isSecretName(path)) return "secret-name";
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (ENVIRONMENT.test(name) && !PATTERN_TO_COPY.test(name)) return "env-file";
  if (!PUBLIC_HALF.test(`/${path}`) && (KEY_FILE.test(name) || KEY_PATH.test(path))) {
    return "key-file";
  }
  const container = CONTAINERS.find(([, start]) => startsWithHex(bytes, start));
  if (container !== undefined) return container[0];
  return bytes[0] === 0x30 ? derRule(bytes) : undefined;
}

function startsWithHex(bytes: Buffer, hex: string): boolean {
  return bytes.subarray(0, hex.length / 2).toString("hex") === hex;
}

function derRule(bytes: Buffer): string | undefined {
  const head = bytes.subarray(0, 48);
  if (head.includes(PKCS7_DATA) && head.includes(Buffer.from("020103", "hex"))) return "pkcs12";
  if (bytes.length > KEY_BYTES_MAX) return undefined;
  const types = ["pkcs8", "pkcs1", "sec1"] as const;
  return types.some((type) => isPrivateKey(bytes, type)) ? "private-key-der" : undefined;
}

function isPrivateKey(key: Buffer, type: "pkcs8" | "pkcs1" | "sec1"): boolean {
  try {
    createPrivateKey({ key, format: "der", type });
    return true;
  } catch (error) {
    // One that asks for its passphrase is a key all the same; all other errors say that it is none.
    return error instanceof Error && "code" in error && error.code === "ERR_MISSING_PASSPHRASE";
  }
}
