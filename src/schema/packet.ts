import * as z from "zod";
import { Digest, Name, PublicKeyText, Text, TraceId } from "./id.ts";
import { isInByteOrder, OutputFile, Sidecar } from "./manifest.ts";

const FILES_MAX = 10_000_000;

/** What bytes are, by their content; a name can say anything. */
export const CONTENTS = ["text", "binary", "archive"] as const;
export type Content = (typeof CONTENTS)[number];

/** The name of a file inside the packet's tar. */
const Member = z
  .string()
  .max(100)
  .regex(/^[\x20-\x7e]+$/, "expected printable ASCII, as a plain tar header holds it");

/** One delivered file. */
const PacketFile = z.strictObject({
  /** Where it lay in the output. */
  path: OutputFile.shape.path,
  member: Member,
  bytes: OutputFile.shape.bytes,
  sha256: Digest,
  mode: OutputFile.shape.mode,
  content: z.enum(CONTENTS),
  /** Who may see it; the same stands in the file beside it, inside the packet. */
  sidecar: Sidecar,
  sidecar_member: Member,
  /** The member that holds its detached signature; binaries and archives have one. */
  signature: Member.nullable(),
});
export type PacketFile = z.infer<typeof PacketFile>;

const Fields = z.strictObject({
  v: z.literal(1),
  /** The record of the delivery, and the record of the run that it delivers. */
  trace: TraceId,
  run: TraceId,
  task_id: Name,
  created_at: z.iso.datetime({ precision: 3 }),
  sink: z.strictObject({
    name: z.string().min(1).max(64),
    kind: z.enum(["folder", "https"]),
    destination: Text.max(4_096),
  }),
  manifest: z.strictObject({
    sha256: Digest,
    /** The policy engine's signature over that hash, as a C2SP signed note. */
    note: Text,
    /** The key that signed it; whether to believe it is the reader's to decide. */
    signer: PublicKeyText,
  }),
  /** The public key of the detached signatures, as minisign spells it. */
  minisign: z.string().regex(/^RW[A-Za-z0-9+/]{54}$/, "expected a minisign public key"),
  files: z.array(PacketFile).max(FILES_MAX),
  /** The path of the list of parts among the files. */
  sbom: OutputFile.shape.path.nullable(),
});

/**
 * `packet.json`: what a delivery holds, and who vouches for it. Beyond its shape it must agree with
 * itself: paths in byte order, no member twice, and a signature for all that is no plain text.
 */
export const Packet = Fields.superRefine(({ files }, context) => {
  const issue = (message: string) => context.addIssue({ code: "custom", path: ["files"], message });
  if (!isInByteOrder(files.map(({ path }) => path))) issue("expected paths in byte order");
  const members = files.flatMap(({ member, sidecar_member, signature }) => [
    member,
    sidecar_member,
    ...(signature === null ? [] : [signature]),
  ]);
  if (new Set(members).size !== members.length) issue("expected every member once");
  if (files.some(({ content, signature }) => content !== "text" && signature === null)) {
    issue("expected a signature for every binary and archive");
  }
});
export type Packet = z.infer<typeof Fields>;
