import "reflect-metadata";
import { KeyObject, randomBytes, webcrypto } from "node:crypto";
import { createSecureContext, type SecureContext } from "node:tls";
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from "@peculiar/x509";
import { assert, SwornError, systemClock } from "../base/index.ts";
import { nameConstraints } from "./name-constraints.ts";
import type { AuthorityOptions, RunAuthority } from "./run-authority.ts";

const NAME_CONSTRAINTS_OID = "2.5.29.30";
const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;
/** Clocks of two processes on one machine agree; whole seconds of a certificate do not. */
const BACKDATED_MS = 60_000;
const HOSTS_MAX = 256;
/** The inside is the same machine: the quickest of the good ones comes first. */
const CIPHERS = [
  "TLS_AES_128_GCM_SHA256",
  "TLS_AES_256_GCM_SHA384",
  "TLS_CHACHA20_POLY1305_SHA256",
  "ECDHE-ECDSA-AES128-GCM-SHA256",
  "ECDHE-ECDSA-AES256-GCM-SHA384",
  "ECDHE-ECDSA-CHACHA20-POLY1305",
].join(":");

/** Does what `createRunAuthority` promises; loading this file costs more than most commands take. */
export async function issueAuthority(options: AuthorityOptions): Promise<RunAuthority> {
  const hosts = [...new Set(options.hosts)];
  if (hosts.length === 0 || hosts.length > HOSTS_MAX) {
    throw new SwornError("INPUT_INVALID", `expected 1 to ${HOSTS_MAX} hosts, got ${hosts.length}`);
  }
  const now = (options.clock ?? systemClock)();
  const span = {
    notBefore: new Date(now - BACKDATED_MS),
    notAfter: new Date(now + options.validForMs),
  };
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, false, ["sign", "verify"]);
  const root = await X509CertificateGenerator.createSelfSigned({
    ...span,
    serialNumber: serial(),
    name: "CN=Sworn authority of one run",
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new Extension(NAME_CONSTRAINTS_OID, true, nameConstraints(hosts)),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  const contexts = new Map<string, Promise<SecureContext>>();
  return {
    certificatePem: `${root.toString("pem")}\n`,
    contextFor(host) {
      assert(hosts.includes(host), `the authority speaks for listed hosts alone, not ${host}`);
      const made = contexts.get(host) ?? makeLeaf(host, root, keys.privateKey, span);
      contexts.set(host, made);
      return made;
    },
  };
}

async function makeLeaf(
  host: string,
  root: X509Certificate,
  signingKey: webcrypto.CryptoKey,
  span: { readonly notBefore: Date; readonly notAfter: Date },
): Promise<SecureContext> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
  const leaf = await X509CertificateGenerator.create({
    ...span,
    serialNumber: serial(),
    subject: "CN=Sworn egress",
    issuer: root.subject,
    publicKey: keys.publicKey,
    signingKey,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension([{ type: "dns", value: host }]),
      await AuthorityKeyIdentifierExtension.create(root.publicKey),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return createSecureContext({
    key: KeyObject.from(keys.privateKey).export({ type: "pkcs8", format: "pem" }),
    cert: leaf.toString("pem"),
    minVersion: "TLSv1.2",
    ciphers: CIPHERS,
    honorCipherOrder: true,
  });
}

/** Random, positive and of one length: two runs never show the same number. */
function serial(): string {
  return `4${randomBytes(16).toString("hex").slice(1)}`;
}
