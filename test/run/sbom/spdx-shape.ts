import { Ajv2019 } from "ajv/dist/2019.js";
import { SPDX_SCHEMA } from "./spdx-schema.ts";

/** The part of SPDX 2.3's JSON form that we write: tighter than the schema, which allows much more. */
const text = { type: "string", minLength: 1 };
const id = { type: "string", pattern: "^SPDXRef-[a-zA-Z0-9.-]+$" };
const closed = (properties: Record<string, object>, optional: readonly string[] = []): object => ({
  type: "object",
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
});
const list = (items: object, minItems = 0): object => ({ type: "array", items, minItems });

const LICENCE =
  "^(?:NOASSERTION|\\(*(?:LicenseRef-)?[A-Za-z0-9.-]+(?: WITH [A-Za-z0-9.-]+)?\\)*(?: (?:AND|OR) \\(*(?:LicenseRef-)?[A-Za-z0-9.-]+(?: WITH [A-Za-z0-9.-]+)?\\)*)*)$";

const DOCUMENT = closed(
  {
    spdxVersion: { const: "SPDX-2.3" },
    dataLicense: { const: "CC0-1.0" },
    SPDXID: { const: "SPDXRef-DOCUMENT" },
    name: text,
    documentNamespace: { type: "string", pattern: "^[a-z][a-z0-9+.-]*:[^#\\s]+$" },
    creationInfo: closed({
      created: { type: "string", pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$" },
      creators: list({ type: "string", pattern: "^(?:Tool|Organization|Person): \\S" }, 1),
    }),
    packages: list(
      closed(
        {
          SPDXID: id,
          name: text,
          versionInfo: text,
          downloadLocation: { const: "NOASSERTION" },
          filesAnalyzed: { const: false },
          licenseConcluded: { const: "NOASSERTION" },
          licenseDeclared: { type: "string", pattern: LICENCE },
          copyrightText: { const: "NOASSERTION" },
          primaryPackagePurpose: { const: "CONTAINER" },
          externalRefs: list(
            closed({
              referenceCategory: { const: "PACKAGE-MANAGER" },
              referenceType: { const: "purl" },
              referenceLocator: { type: "string", pattern: "^pkg:[a-z]+/\\S+$" },
            }),
          ),
          checksums: list(
            closed({
              algorithm: { enum: ["SHA1", "SHA256", "SHA384", "SHA512"] },
              checksumValue: { type: "string", pattern: "^[0-9a-f]+$" },
            }),
          ),
        },
        ["versionInfo", "primaryPackagePurpose", "externalRefs", "checksums"],
      ),
      1,
    ),
    relationships: list(
      closed({
        spdxElementId: id,
        relationshipType: { enum: ["DESCRIBES", "CONTAINS"] },
        relatedSpdxElement: id,
      }),
      1,
    ),
    hasExtractedLicensingInfos: list(
      closed({
        licenseId: { type: "string", pattern: "^LicenseRef-[a-zA-Z0-9.-]+$" },
        extractedText: text,
        name: text,
      }),
      1,
    ),
  },
  ["hasExtractedLicensingInfos"],
);

const ajv = new Ajv2019({ allErrors: true });
const validators = [ajv.compile(SPDX_SCHEMA), ajv.compile(DOCUMENT)];

export interface SpdxDocument {
  readonly documentNamespace: string;
  readonly creationInfo: { readonly created: string };
  readonly packages: readonly {
    readonly SPDXID: string;
    readonly name: string;
    readonly versionInfo?: string;
    readonly licenseDeclared: string;
    readonly externalRefs?: readonly { readonly referenceLocator: string }[];
    readonly checksums?: readonly { readonly algorithm: string; readonly checksumValue: string }[];
  }[];
  readonly relationships: readonly {
    readonly spdxElementId: string;
    readonly relatedSpdxElement: string;
  }[];
  readonly hasExtractedLicensingInfos?: readonly {
    readonly licenseId: string;
    readonly extractedText: string;
  }[];
}

/** What is wrong with a document: by the schema, by what we write of it, ids given twice, and references that lead nowhere. */
export function faultsOf(bytes: Uint8Array): string[] {
  const value: unknown = JSON.parse(Buffer.from(bytes).toString("utf8"));
  for (const validate of validators) {
    if (validate(value)) continue;
    return (validate.errors ?? []).map((one) => `${one.instancePath} ${one.message}`);
  }
  const document = value as SpdxDocument;
  const ids = ["SPDXRef-DOCUMENT", ...document.packages.map(({ SPDXID }) => SPDXID)];
  const known = new Set(ids);
  const licences = new Set((document.hasExtractedLicensingInfos ?? []).map((one) => one.licenseId));
  const used = document.packages.flatMap(
    ({ licenseDeclared }) => licenseDeclared.match(/LicenseRef-[A-Za-z0-9.-]+/g) ?? [],
  );
  return [
    ...(known.size === ids.length ? [] : ["an id is given twice"]),
    ...document.relationships
      .flatMap((one) => [one.spdxElementId, one.relatedSpdxElement])
      .filter((one) => !known.has(one)),
    ...used.filter((one) => !licences.has(one)),
    ...[...licences].filter((one) => !used.includes(one)),
  ];
}

export function parse(bytes: Uint8Array): SpdxDocument {
  return JSON.parse(Buffer.from(bytes).toString("utf8")) as SpdxDocument;
}
