/**
 * What the JSON schema of SPDX 2.3 demands, said again in our own form: no package that can be
 * installed carries the published file. Members, which of them are required, lists of allowed words
 * and patterns are all here, also for what we never write, so that a document can be held to it that
 * somebody else made. Where the editions 2.3 and 2.3.1 differ the stricter one counts.
 */
type Schema = Readonly<Record<string, unknown>>;

const text: Schema = { type: "string" };
const texts: Schema = { type: "array", items: text };
const wordsIn = (words: string): string[] => words.split(" ").filter((word) => word !== "");
const oneOf = (words: string): Schema => ({ enum: wordsIn(words) });
const listOf = (items: Schema, minItems = 0): Schema => ({ type: "array", items, minItems });
/** A closed object: members that are plain text by their names, the others with their shape. */
const shape = (required: string, plain: string, others: Readonly<Record<string, Schema>> = {}) => ({
  type: "object",
  properties: {
    ...Object.fromEntries(wordsIn(plain).map((name) => [name, text])),
    ...others,
  },
  required: wordsIn(required),
  additionalProperties: false,
});

const ID: Schema = { type: "string", pattern: "^SPDXRef-[a-zA-Z0-9.-]+$" };
const TIME: Schema = {
  type: "string",
  pattern:
    "^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])T(([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d|23:59:60)Z$",
};
const CHECKSUM = shape("algorithm checksumValue", "checksumValue", {
  algorithm: oneOf(
    "ADLER32 BLAKE2b-256 BLAKE2b-384 BLAKE2b-512 BLAKE3 MD2 MD4 MD5 MD6 SHA1 SHA224 SHA256 SHA384 SHA512 SHA3-256 SHA3-384 SHA3-512",
  ),
  checksumValue: { type: "string", pattern: "^[0-9a-fA-F]+$" },
});
const ANNOTATION = shape("annotationDate annotationType annotator comment", "annotator comment", {
  annotationDate: TIME,
  annotationType: oneOf("OTHER REVIEW"),
});
const EXTERNAL_REF = shape(
  "referenceCategory referenceLocator referenceType",
  "comment referenceLocator referenceType",
  {
    referenceCategory: oneOf(
      "OTHER PERSISTENT-ID PERSISTENT_ID SECURITY PACKAGE-MANAGER PACKAGE_MANAGER",
    ),
  },
);
/** What packages, files and snippets have in common. */
const ELEMENT = { SPDXID: ID, annotations: listOf(ANNOTATION), attributionTexts: texts };

const PACKAGE = shape(
  "SPDXID downloadLocation name",
  "comment copyrightText description downloadLocation homepage licenseComments licenseConcluded licenseDeclared name originator packageFileName sourceInfo summary supplier versionInfo",
  {
    ...ELEMENT,
    builtDate: TIME,
    releaseDate: TIME,
    validUntilDate: TIME,
    checksums: listOf(CHECKSUM),
    externalRefs: listOf(EXTERNAL_REF),
    filesAnalyzed: { type: "boolean" },
    hasFiles: texts,
    licenseInfoFromFiles: texts,
    packageVerificationCode: shape("packageVerificationCodeValue", "packageVerificationCodeValue", {
      packageVerificationCodeExcludedFiles: texts,
    }),
    primaryPackagePurpose: oneOf(
      "APPLICATION ARCHIVE CONTAINER DEVICE FILE FIRMWARE FRAMEWORK INSTALL LIBRARY OPERATING-SYSTEM OTHER SOURCE",
    ),
  },
);
const RELATIONSHIP = shape(
  "spdxElementId relatedSpdxElement relationshipType",
  "spdxElementId relatedSpdxElement comment",
  {
    relationshipType: oneOf(
      "AMENDS ANCESTOR_OF BUILD_DEPENDENCY_OF BUILD_TOOL_OF CONTAINED_BY CONTAINS COPY_OF DATA_FILE_OF DEPENDENCY_MANIFEST_OF DEPENDENCY_OF DEPENDS_ON DESCENDANT_OF DESCRIBED_BY DESCRIBES DEV_DEPENDENCY_OF DEV_TOOL_OF DISTRIBUTION_ARTIFACT DOCUMENTATION_OF DYNAMIC_LINK EXAMPLE_OF EXPANDED_FROM_ARCHIVE FILE_ADDED FILE_DELETED FILE_MODIFIED GENERATED_FROM GENERATES HAS_PREREQUISITE METAFILE_OF OPTIONAL_COMPONENT_OF OPTIONAL_DEPENDENCY_OF OTHER PACKAGE_OF PATCH_APPLIED PATCH_FOR PREREQUISITE_FOR PROVIDED_DEPENDENCY_OF REQUIREMENT_DESCRIPTION_FOR RUNTIME_DEPENDENCY_OF SPECIFICATION_FOR STATIC_LINK TEST_CASE_OF TEST_DEPENDENCY_OF TEST_OF TEST_TOOL_OF VARIANT_OF",
    ),
  },
);
const EXTRACTED = shape("extractedText licenseId", "comment extractedText licenseId name", {
  seeAlsos: texts,
  crossRefs: listOf(
    shape("url", "match url", {
      isLive: { type: "boolean" },
      isValid: { type: "boolean" },
      isWayBackLink: { type: "boolean" },
      order: { type: "integer" },
      timestamp: TIME,
    }),
  ),
});
const FILE = shape(
  "SPDXID checksums fileName",
  "comment copyrightText fileName licenseComments licenseConcluded noticeText",
  {
    ...ELEMENT,
    artifactOfs: listOf({ type: "object" }),
    checksums: listOf(CHECKSUM, 1),
    fileContributors: texts,
    fileDependencies: texts,
    fileTypes: listOf(
      oneOf("APPLICATION ARCHIVE AUDIO BINARY DOCUMENTATION IMAGE OTHER SOURCE SPDX TEXT VIDEO"),
    ),
    licenseInfoInFiles: texts,
  },
);
const POINTER = shape("reference", "reference", {
  offset: { type: "integer" },
  lineNumber: { type: "integer" },
});
const SNIPPET = shape(
  "SPDXID ranges snippetFromFile",
  "comment copyrightText licenseComments licenseConcluded name snippetFromFile",
  {
    ...ELEMENT,
    licenseInfoInSnippets: texts,
    ranges: listOf(
      shape("endPointer startPointer", "", { endPointer: POINTER, startPointer: POINTER }),
      1,
    ),
  },
);

export const SPDX_SCHEMA: Schema = shape(
  "SPDXID creationInfo dataLicense name spdxVersion documentNamespace",
  "$schema SPDXID comment dataLicense documentNamespace name spdxVersion",
  {
    annotations: listOf(ANNOTATION),
    creationInfo: shape("created creators", "comment licenseListVersion", {
      created: TIME,
      creators: { ...texts, minItems: 1 },
    }),
    documentDescribes: texts,
    externalDocumentRefs: listOf(
      shape("checksum externalDocumentId spdxDocument", "externalDocumentId spdxDocument", {
        checksum: CHECKSUM,
      }),
    ),
    files: listOf(FILE),
    hasExtractedLicensingInfos: listOf(EXTRACTED),
    packages: listOf(PACKAGE),
    relationships: listOf(RELATIONSHIP),
    revieweds: listOf(shape("reviewDate", "comment reviewer", { reviewDate: TIME })),
    snippets: listOf(SNIPPET),
  },
);
