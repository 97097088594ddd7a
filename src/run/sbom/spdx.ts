import { canonicalize, sha256Hex } from "../../base/index.ts";
import { type Licence, parseLicence } from "./licence.ts";
import { purlOf, type SbomPackage } from "./sbom-package.ts";

/** What the document is about. */
export interface SbomSubject {
  readonly name: string;
  /** The digest of the environment, which is its version. */
  readonly digest: string;
  /** The only time in the document (SOURCE_DATE_EPOCH): the same packages give the same bytes. */
  readonly sourceDateEpoch: number;
}

const NOTHING_SAID = "NOASSERTION";
const EXTRACTED_CHARS_MAX = 4_000;

/** The list of parts as an SPDX 2.3 document, in one order and spelling. */
export function toSpdx(subject: SbomSubject, packages: readonly SbomPackage[]): Buffer {
  const references = new Map<string, string>();
  const parts = inOrder(packages).map((one) => toPart(one, references));
  const root = "SPDXRef-Environment";
  const content = {
    packages: [rootPart(root, subject), ...parts],
    relationships: [
      relation("SPDXRef-DOCUMENT", "DESCRIBES", root),
      ...parts.map(({ SPDXID }) => relation(root, "CONTAINS", SPDXID)),
    ],
    ...(references.size === 0 ? {} : { hasExtractedLicensingInfos: extracted(references) }),
  };
  const document = {
    spdxVersion: "SPDX-2.3",
    dataLicense: "CC0-1.0",
    SPDXID: "SPDXRef-DOCUMENT",
    name: subject.name,
    // Must be unique to the document and must not be an address of ours; the content is what it is.
    documentNamespace: `urn:sworn:sbom:${sha256Hex(canonicalize(content))}`,
    creationInfo: { created: toTime(subject.sourceDateEpoch), creators: ["Tool: sworn"] },
    ...content,
  };
  return Buffer.from(`${canonicalize(document)}\n`);
}

function toTime(seconds: number): string {
  return new Date(seconds * 1_000).toISOString().replace(/\.\d{3}Z$/, "Z");
}

/** By their URLs, each once: two lockfiles may name the same package. */
function inOrder(packages: readonly SbomPackage[]): SbomPackage[] {
  const byUrl = new Map<string, SbomPackage>();
  for (const one of packages) {
    const url = purlOf(one);
    const known = byUrl.get(url);
    // Of two that say different things the one that says a licence is the better.
    if (known === undefined || (known.licence === undefined && one.licence !== undefined)) {
      byUrl.set(url, one);
    }
  }
  return [...byUrl.keys()].toSorted().map((url) => byUrl.get(url) as SbomPackage);
}

function toPart(one: SbomPackage, references: Map<string, string>) {
  const url = purlOf(one);
  const { name, version, licence, checksum } = one;
  return {
    SPDXID: `SPDXRef-${one.ecosystem}-${sha256Hex(url).slice(0, 24)}`,
    name,
    ...(version === undefined ? {} : { versionInfo: version }),
    // Where it was fetched from is the machine's configuration, which may carry credentials.
    downloadLocation: NOTHING_SAID,
    filesAnalyzed: false,
    licenseConcluded: NOTHING_SAID,
    licenseDeclared:
      licence === undefined ? NOTHING_SAID : spelled(parseLicence(licence), references),
    copyrightText: NOTHING_SAID,
    externalRefs: [
      { referenceCategory: "PACKAGE-MANAGER", referenceType: "purl", referenceLocator: url },
    ],
    ...(checksum === undefined
      ? {}
      : { checksums: [{ algorithm: checksum.algorithm, checksumValue: checksum.hex }] }),
  };
}

function rootPart(SPDXID: string, { name, digest }: SbomSubject) {
  return {
    SPDXID,
    name,
    versionInfo: digest,
    downloadLocation: NOTHING_SAID,
    filesAnalyzed: false,
    licenseConcluded: NOTHING_SAID,
    licenseDeclared: NOTHING_SAID,
    copyrightText: NOTHING_SAID,
    primaryPackagePurpose: "CONTAINER",
  };
}

function relation(from: string, relationshipType: string, to: string) {
  return { spdxElementId: from, relationshipType, relatedSpdxElement: to };
}

/** Names that are no ids become references, which the document then explains. */
function spelled(licence: Licence, references: Map<string, string>): string {
  if (licence.kind !== "name") {
    const word = ` ${licence.kind.toUpperCase()} `;
    const parts = licence.parts.map((part) => spelled(part, references));
    return parts
      .map((part, at) => (licence.parts[at]?.kind === "name" ? part : `(${part})`))
      .join(word);
  }
  const { id, name, exception, ownException } = licence;
  // The format knows no exceptions but its own, and none to a licence without an id.
  if (id === undefined || ownException !== undefined) {
    const more = exception ?? ownException;
    return referenceTo(more === undefined ? name : `${name} with ${more}`, references);
  }
  return exception === undefined ? id : `${id} WITH ${exception}`;
}

function referenceTo(name: string, references: Map<string, string>): string {
  const plain = name
    .replace(/[^A-Za-z0-9.-]{1,100}/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 40);
  const id = `LicenseRef-${plain === "" ? "" : `${plain}-`}${sha256Hex(name).slice(0, 12)}`;
  references.set(id, name.slice(0, EXTRACTED_CHARS_MAX));
  return id;
}

function extracted(references: ReadonlyMap<string, string>) {
  return [...references].toSorted().map(([licenseId, name]) => ({
    licenseId,
    extractedText: name,
    name: name.slice(0, 200),
  }));
}
