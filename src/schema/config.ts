import * as z from "zod";
import { SINKS } from "./admission.ts";
import { AgentConfig } from "./agent.ts";
import { RUN_DEPTH_MAX } from "./limits.ts";

/** How much of a team's output is looked at again, from nothing to a validator over everything. */
export const LEVELS = ["none", "layer-0", "layer-2", "validator"] as const;

// A single word first, so that no name is a key with a meaning of its own, such as __proto__.
const Name = z
  .string()
  .max(64)
  .regex(/^[a-zA-Z][a-zA-Z0-9_-]*$/, "expected a letter, then letters, digits, dash or underscore");
const Line = z
  .string()
  .min(1)
  .max(500)
  .regex(/^[^\p{C}\p{Zl}\p{Zp}\p{DI}`]+$/u, "expected one line of plain text without backticks");
const Glob = z.string().min(1).max(1_000);

/** One agent of a team, as whoever starts the team declares it. */
export const TeamAgent = z.strictObject({
  name: Name,
  /** What it is to do, in a few words: `Security review`. */
  role: Line,
  /** The field whose budget it draws from: `backend`; by default a budget of its own. */
  area: Name.optional(),
  /** The most files it may be given; by default its area's. */
  budget: z.int().min(1).max(100_000).optional(),
  /** Globs of the files it can look at. */
  scope: z.array(Glob).max(10_000).default(["**"]),
  perspectives: z.array(Line).max(50).optional(),
});
export type TeamAgent = z.input<typeof TeamAgent>;

/** A workflow that is not built in, in the six answers that make one. */
export const CustomWorkflow = z.strictObject({
  name: z
    .string()
    .max(90)
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "expected lower-case letters and digits, joined by dashes"),
  format: z.enum(["report", "research", "status"]),
  sections: z.array(Line).min(1).max(50).optional(),
  agents: z.array(TeamAgent).min(1).max(100),
  /** `none` turns verification off; any other level is the least, and more agents raise it. */
  verification: z.enum(LEVELS).optional(),
});
export type CustomWorkflow = z.input<typeof CustomWorkflow>;

/** Money in units of whatever currency its owner counts in, with at most three decimals. */
const Amount = z.number().min(0).max(1_000_000_000).multipleOf(0.001);

/** What runs may use and cost. */
const Runs = z.strictObject({
  licences: z
    .strictObject({
      /** SPDX ids that may not be used; a star at the end stands for any ending: `AGPL-*`. */
      deny: z.array(Line).max(1_000),
      /** Packages, `name@1.2`, that somebody looked at and that may be used all the same. */
      accepted: z.array(Line).max(100_000).default([]),
      /**
       * Whether the packages of the environment are judged too, or only what lockfiles pin. By default
       * those of an environment that was built, and not all that this machine happens to have.
       */
      environment: z.enum(["judged", "ignored"]).optional(),
    })
    .optional(),
  /** Ceilings; without this section nothing may be spent. */
  spend: z.strictObject({ per_run: Amount.optional(), per_day: Amount.optional() }).optional(),
  /** How deep runs may start runs of their own. */
  depth: z.int().min(0).max(RUN_DEPTH_MAX).optional(),
  /** How many runs one that a person asked for may lead to. */
  delegated: z.int().min(0).max(10_000).optional(),
});
export type RunSettings = z.infer<typeof Runs>;

/** Whom a packet is encrypted for, as age spells it. */
const Recipient = z
  .string()
  .max(4_096)
  .regex(/^age1[a-z0-9]+$/, "expected an age recipient, which begins with age1");
const Recipients = z.array(Recipient).min(1).max(100);
/**
 * Only variables that were set for deliveries can be named: a project's file must not choose which
 * of the user's tokens goes where it says.
 */
const TokenVariable = z
  .string()
  .max(128)
  .regex(/^SWORN_DELIVER_[A-Z0-9_]+$/, "expected a variable that begins with SWORN_DELIVER_");

/** A place that results may be delivered to, as the operator lists it. */
export const ListedSink = z.discriminatedUnion("kind", [
  z
    .strictObject({
      kind: z.literal("folder"),
      /** From the root of the file system, or from this file's folder. */
      path: z.string().min(1).max(4_096),
      recipients: Recipients.optional(),
      /** Not encrypted: only for a folder of this machine, and only where it is said. */
      plain: z.literal(true).optional(),
    })
    .refine(
      ({ plain, recipients }) => plain === undefined || recipients === undefined,
      "expected recipients or plain, not both",
    ),
  z.strictObject({
    kind: z.literal("https"),
    /** The packet's name is put behind it. */
    url: z.string().min(1).max(2_048),
    /** What it is, in the words of the policies. What the address itself tells counts more. */
    is: z.enum(SINKS).default("artifact-store"),
    /** The variable that holds the token to send along. */
    token_env: TokenVariable.optional(),
    recipients: Recipients.optional(),
  }),
]);
export type ListedSink = z.infer<typeof ListedSink>;

/** How the branches of deliveries begin; the work's name is put behind it. */
const BranchPrefix = z
  .string()
  .max(100)
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9_-]*(?:\/[A-Za-z0-9][A-Za-z0-9_-]*)*\/$/,
    'expected names that end with "/"',
  )
  .default("sworn/delivered/");
/** Where git pushes to: https, ssh, or a folder; never with a password in it, and for https no name. */
const PushUrl = z
  .string()
  .max(2_048)
  .regex(
    /^(?:https:\/\/[^\s\0?#@/]+\/|ssh:\/\/(?:[\w.-]+@)?[^\s\0?#@/]+\/|\/|\.{1,2}\/)[^\s\0?#]+$/,
    "expected https://…, ssh://… or a folder, with no password in it",
  );
/** The token goes there, so that nobody may listen; on this machine itself nobody does. */
export const ForgeUrl = z
  .string()
  .max(2_048)
  .regex(
    /^(?:https:\/\/[^\s@?#]+|http:\/\/(?:127\.0\.0\.1|localhost)(?::\d{1,5})?(?:\/[^\s@?#]*)?)$/,
    "expected https://…, without a user name or a query",
  );

export const ForgeRepository = z
  .string()
  .max(200)
  .regex(/^[A-Za-z0-9][\w.-]*\/[A-Za-z0-9_][\w.-]*$/, "expected owner/name");

/** A place that works are delivered to as branches. */
export const BranchSink = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("branch"), prefix: BranchPrefix }),
  z.strictObject({
    kind: z.literal("git"),
    url: PushUrl,
    prefix: BranchPrefix,
    token_env: TokenVariable.optional(),
  }),
  z.strictObject({
    kind: z.literal("pull-request"),
    /** The forge's interface, which is GitHub's or one like it. */
    api: ForgeUrl.default("https://api.github.com"),
    repository: ForgeRepository,
    /** Where the branch is pushed to first. */
    url: PushUrl,
    prefix: BranchPrefix,
    /** The branch that it is to be merged into. */
    base: z
      .string()
      .max(200)
      .regex(/^[A-Za-z0-9][\w./-]*$/, "expected a branch")
      .default("main"),
    token_env: TokenVariable,
  }),
]);
export type BranchSink = z.infer<typeof BranchSink>;

/** A command and its words, without a shell. */
const CommandWords = z.array(z.string().min(1).max(4_096)).min(1).max(1_000);

/** How `sworn ci` judges a pull request; what the branch that it goes into says counts. */
const Ci = z.strictObject({
  checks: z
    .array(
      z.strictObject({
        name: Name,
        argv: CommandWords,
        /** Whether it runs tests: then one that counts none does not pass. */
        tests: z.boolean().default(true),
      }),
    )
    .min(1)
    .max(50)
    .optional(),
  /**
   * Whether what the lockfile pins is installed before each run. By default where there is a lockfile
   * and the clone has no `node_modules`.
   */
  install: z.boolean().optional(),
  /** How long each run may take. */
  seconds: z.int().min(1).max(86_400).optional(),
});

/** `sworn.yaml`, at the top of the work tree: what its owner settles for everybody who works in it. */
export const Config = z.strictObject({
  /** Workflows beside the built-in ones. */
  workflows: z.array(CustomWorkflow).max(100).optional(),
  runs: Runs.optional(),
  /** Where results may be delivered to, by name; nowhere else. */
  deliver: z.record(Name, z.discriminatedUnion("kind", [ListedSink, BranchSink])).optional(),
  /** Who can be asked to work, by name. */
  agents: z.record(Name, AgentConfig).optional(),
  /** How time is counted. */
  beat: z
    .strictObject({
      /** How long a beat lasts: 15 minutes where nobody says otherwise. */
      seconds: z.int().min(1).max(86_400).optional(),
      /** So many beats votes are waited for before more reviewers are asked (4). */
      patience: z.int().min(1).max(1_000).optional(),
    })
    .optional(),
  /** How plans are worked on. */
  work: z
    .strictObject({
      /** What runs all tests of the project, without a shell. */
      tests: CommandWords.optional(),
      /** How many subtasks are worked on at the same time. */
      parallel: z.int().min(1).max(64).optional(),
      /** How often a subtask is tried again after its proofs failed. */
      retries: z.int().min(0).max(5).optional(),
      /** How it is measured which changed lines the tests reach; needed for a session to be done. */
      coverage: z
        .strictObject({
          /** What runs the tests and leaves or prints an lcov report, without a shell. */
          argv: z.array(z.string().min(1).max(4_096)).min(1).max(1_000),
          /** The least percentage of changed lines (80). */
          min: z.int().min(0).max(100).optional(),
        })
        .optional(),
    })
    .optional(),
  /** How whole tasks are led. */
  session: z
    .strictObject({
      /** How often another plan is asked for after the critic rejected one (2). */
      replans: z.int().min(0).max(5).optional(),
    })
    .optional(),
  ci: Ci.optional(),
  /** Which of them does what, where a command does not say. */
  roles: z
    .strictObject({
      planner: Name.optional(),
      worker: Name.optional(),
      reviewer: Name.optional(),
      judge: Name.optional(),
      /** Whoever does what no other name is given for; never a look at its own work. */
      default: Name.optional(),
      /** Who reviews what is proposed, and challenges what is claimed. */
      critic: Name.optional(),
      /** Who looks at the whole in the end. */
      auditor: Name.optional(),
      /** Who votes whether it is done. */
      voters: z.array(Name).min(1).max(20).optional(),
    })
    .optional(),
});
export type Config = z.infer<typeof Config>;
