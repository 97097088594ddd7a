import * as z from "zod";

/** What a DSSE envelope says that it holds. */
export const IN_TOTO_TYPE = "application/vnd.in-toto+json";
const STATEMENT_TYPE = "https://in-toto.io/Statement/v1";
/** The predicates that a packet states, by the types that others know them by. */
export const PREDICATES = {
  testResult: "https://in-toto.io/attestation/test-result/v0.1",
  provenance: "https://slsa.dev/provenance/v1",
  summary: "https://slsa.dev/verification_summary/v1",
} as const;

const LIST_MAX = 10_000;
const Text = z.string().max(100_000);
const Digests = z.record(z.string().max(64), z.string().regex(/^[0-9a-f]{40,128}$/));
/** A thing by where it is, or what it is called, or what it hashes to. */
const Resource = z.strictObject({
  name: Text.optional(),
  uri: Text.optional(),
  digest: Digests.optional(),
  mediaType: Text.optional(),
});
const Moment = z.iso.datetime({ precision: 3 });

const TestResult = z.strictObject({
  result: z.enum(["PASSED", "WARNED", "FAILED"]),
  configuration: z.array(Resource).max(LIST_MAX),
  passedTests: z.array(Text).max(LIST_MAX),
  warnedTests: z.array(Text).max(LIST_MAX),
  failedTests: z.array(Text).max(LIST_MAX),
});
export type TestResult = z.infer<typeof TestResult>;

const Provenance = z.strictObject({
  buildDefinition: z.strictObject({
    buildType: Text,
    externalParameters: z.record(Text, z.json()),
    internalParameters: z.record(Text, z.json()),
    resolvedDependencies: z.array(Resource).max(LIST_MAX),
  }),
  runDetails: z.strictObject({
    builder: z.strictObject({ id: Text, version: z.record(Text, Text) }),
    metadata: z.strictObject({ invocationId: Text, startedOn: Moment, finishedOn: Moment }),
    byproducts: z.array(Resource).max(LIST_MAX),
  }),
});

const Summary = z.strictObject({
  verifier: z.strictObject({ id: Text, version: z.record(Text, Text) }),
  timeVerified: Moment,
  resourceUri: Text,
  policy: z.strictObject({ uri: Text, digest: Digests }),
  inputAttestations: z.array(Resource).max(LIST_MAX),
  verificationResult: z.enum(["PASSED", "FAILED"]),
  verifiedLevels: z.array(Text).max(LIST_MAX),
});

const common = {
  _type: z.literal(STATEMENT_TYPE),
  subject: z.array(Resource).min(1).max(LIST_MAX),
};

/** One of the statements that a packet makes, in the shapes that in-toto and SLSA give them. */
export const Statement = z.discriminatedUnion("predicateType", [
  z.strictObject({
    ...common,
    predicateType: z.literal(PREDICATES.testResult),
    predicate: TestResult,
  }),
  z.strictObject({
    ...common,
    predicateType: z.literal(PREDICATES.provenance),
    predicate: Provenance,
  }),
  z.strictObject({ ...common, predicateType: z.literal(PREDICATES.summary), predicate: Summary }),
]);
export type Statement = z.infer<typeof Statement>;

/** A DSSE envelope, with one signature: nobody else signs for us. */
export const Envelope = z.strictObject({
  payloadType: z.literal(IN_TOTO_TYPE),
  payload: z.base64().max(64 << 20),
  signatures: z
    .array(z.strictObject({ keyid: z.string().max(128), sig: z.base64().max(256) }))
    .length(1),
});
export type Envelope = z.infer<typeof Envelope>;
