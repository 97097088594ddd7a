// Writes the JSON Schemas of everything that crosses a boundary, from the code that checks it.
// Usage: npm run schemas [-- <folder>]
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { AdmissionDecision, AdmissionFacts } from "../dist/schema/admission.js";
import { CiReport } from "../dist/schema/ci-report.js";
import { Config, CustomWorkflow, TeamAgent } from "../dist/schema/config.js";
import { Contract, WorkflowState } from "../dist/schema/contract.js";
import { ExecutionPlan, TaskContext } from "../dist/schema/execution.js";
import { Citation, Finding } from "../dist/schema/finding.js";
import {
  Actor,
  ArtifactRef,
  Digest,
  EnrolledAgent,
  Entry,
  EventRequest,
  KeyId,
  Name,
  Parent,
  Policy,
  Proof,
  PublicKeyText,
  RiskClass,
  Role,
  Text,
  TraceId,
  VerificationReport,
} from "../dist/schema/index.js";
import { Manifest } from "../dist/schema/manifest.js";
import { Packet } from "../dist/schema/packet.js";
import { PacketReport } from "../dist/schema/packet-report.js";
import { Plan, Verimap } from "../dist/schema/plan.js";
import { KnownFindings, ReviewReport } from "../dist/schema/review.js";
import { SessionReport } from "../dist/schema/session-report.js";
import { TaskPacket } from "../dist/schema/task-packet.js";
import { WorkReport } from "../dist/schema/work.js";
import { WorkProof } from "../dist/schema/work-proof.js";

/** Shapes that others repeat; each stands once in a document, under its own name. */
const SHARED = {
  Actor,
  ArtifactRef,
  Citation,
  CustomWorkflow,
  Digest,
  EnrolledAgent,
  Finding,
  KeyId,
  Name,
  Parent,
  Policy,
  PublicKeyText,
  RiskClass,
  Role,
  TeamAgent,
  Text,
  TraceId,
  WorkProof,
};

/** File name, the schema, which side of it is written down, and what a reader should know first. */
const SCHEMAS = [
  {
    file: "entry.json",
    schema: Entry,
    io: "output",
    title: "Entry",
    description:
      "One line of a trace. Stored as RFC 8785 canonical JSON; sig covers the line without sig. " +
      "The shape alone proves nothing: order, keys, links and rules are checked by sworn verify.",
  },
  {
    file: "event-request.json",
    schema: EventRequest,
    io: "input",
    title: "EventRequest",
    description:
      "One line of a script for sworn trace record: an entry without what the runtime adds itself. " +
      "Where an entry holds the hash of an artifact, a request may give the artifact's name.",
  },
  {
    file: "verification-report.json",
    schema: VerificationReport,
    io: "output",
    title: "VerificationReport",
    description:
      "What sworn verify --json prints. The same bytes for the same input: no clock, no path.",
  },
  {
    file: "proof.json",
    schema: Proof,
    io: "output",
    title: "Proof",
    description: "That one entry is in a trace, checkable without the other entries.",
  },
  {
    file: "config.json",
    schema: Config,
    io: "input",
    title: "Config",
    description:
      "sworn.yaml at the top of the work tree. An unknown member is an error: a misspelt setting " +
      "would otherwise be no setting.",
  },
  {
    file: "contract.json",
    schema: Contract,
    io: "input",
    title: "Contract",
    description:
      "inscription.json: what a team of agents owes, written before any of them starts. A reader " +
      "leaves members of other tools aside and names them.",
  },
  {
    file: "review-report.json",
    schema: ReviewReport,
    io: "output",
    title: "ReviewReport",
    description:
      "report.json, and what sworn review --json and sworn audit --json print besides the folder. " +
      "Findings that the source refutes stand under refuted and nowhere else.",
  },
  {
    file: "known-findings.json",
    schema: KnownFindings,
    io: "output",
    title: "KnownFindings",
    description:
      "One line of the known findings of a project: what a person said about some findings, signed.",
  },
  {
    file: "work-report.json",
    schema: WorkReport,
    io: "output",
    title: "WorkReport",
    description:
      "report.json of a work, which sworn work --json prints too: every subtask with its tries and proofs, " +
      "and what nobody has shown. It is a rendering; the record is the trace that it names.",
  },
  {
    file: "session-report.json",
    schema: SessionReport,
    io: "output",
    title: "SessionReport",
    description:
      "What sworn run --json prints, and .sworn/session/<id>/report.json holds. It is a rendering: " +
      "the record is the trace that it names, which sworn verify checks.",
  },
  {
    file: "task-packet.json",
    schema: TaskPacket,
    io: "output",
    title: "TaskPacket",
    description:
      "packet.json of a work's packet: what is delivered, who agreed, and the hash of every other member. " +
      "The shape alone proves nothing: sworn verify holds all of it against the record in the packet.",
  },
  {
    file: "packet-report.json",
    schema: PacketReport,
    io: "output",
    title: "PacketReport",
    description: "What sworn verify --json prints of a work's packet.",
  },
  {
    file: "ci-report.json",
    schema: CiReport,
    io: "output",
    title: "CiReport",
    description:
      "What sworn ci --json prints: each declared check on three trees, tests that the change weakens, " +
      "and what became of each claim of the description. Texts of the pull request are somebody else's.",
  },
  {
    file: "manifest.json",
    schema: Manifest,
    io: "output",
    title: "Manifest",
    description:
      "Everything that one sealed run was and left behind, in canonical JSON. Beyond this shape it " +
      "must not contradict itself; the policy engine signs its hash where the run counts.",
  },
  {
    file: "task-context.json",
    schema: TaskContext,
    io: "input",
    title: "TaskContext",
    description:
      "What is known of a task before it is planned; sworn env detect --task and sworn exec --context " +
      "read it. A stated language beats the repository's address, which beats words in the description.",
  },
  {
    file: "execution-plan.json",
    schema: ExecutionPlan,
    io: "output",
    title: "ExecutionPlan",
    description:
      "plan.json in the record of a run, written before anything is started: the environment by " +
      "digest, why it was chosen, and the steps.",
  },
  {
    file: "packet.json",
    schema: Packet,
    io: "output",
    title: "Packet",
    description:
      "packet.json at the head of a delivery: the run's signed manifest by hash, every file with its " +
      "hash and classification, and which of them carry a detached minisign signature.",
  },
  {
    file: "admission-facts.json",
    schema: AdmissionFacts,
    io: "input",
    title: "AdmissionFacts",
    description:
      "What policies decide from, before a task begins and before its run counts. A member that is " +
      "missing or unknown is a no.",
  },
  {
    file: "admission-decision.json",
    schema: AdmissionDecision,
    io: "output",
    title: "AdmissionDecision",
    description: "What the policies decided, by which rules, and why.",
  },
  {
    file: "plan.json",
    schema: Plan,
    io: "input",
    title: "Plan",
    description:
      "A plan in Sworn's own form: the planners' form, and for each subtask its typed proofs. sworn plan " +
      "check judges far more than this shape; docs/formats/plan.md has the rules.",
  },
  {
    file: "plan-verimap.json",
    schema: Verimap,
    io: "input",
    title: "VeriMAP",
    description:
      "A plan in the planners' form: every field there, none unknown. sworn plan check turns it into " +
      "Sworn's own form, and says what it cannot turn.",
  },
  {
    file: "workflow-state.json",
    schema: WorkflowState,
    io: "input",
    title: "WorkflowState",
    description: "state.json beside a contract. All states but active are final.",
  },
];

const folder = resolve(process.argv[2] ?? fileURLToPath(new URL("../schemas", import.meta.url)));
const metadata = z.registry();
for (const [id, schema] of Object.entries(SHARED)) metadata.add(schema, { id });
mkdirSync(folder, { recursive: true });
for (const { file, schema, io, title, description } of SCHEMAS) {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io, metadata, override: dropId });
  const document = { $schema, title, description, ...rest };
  writeFileSync(join(folder, file), `${JSON.stringify(document, null, 2)}\n`);
  console.log(`wrote ${file}`);
}

/** The name is the key in `$defs`; JSON Schema has no member `id`. */
function dropId({ jsonSchema }) {
  delete jsonSchema.id;
}
