import * as z from "zod";

/** The command-line agents that are known by name. */
export const PRESETS = ["claude", "codex", "gemini", "goose", "opencode", "pi", "qwen"] as const;
export type Preset = (typeof PRESETS)[number];

/** The kinds of model services that are spoken to directly. */
export const PROVIDERS = ["anthropic", "openai", "compatible", "ollama"] as const;

/** The built-in reviewers, by the names that reports give them. */
export const BUILT_IN_REVIEWERS = [
  "security",
  "secret",
  "correctness",
  "duplicate",
  "document",
  "dependency",
  "types",
  "tests",
] as const;

const Word = z.string().min(1).max(4_096);
const Words = z.array(Word).max(1_000);
const VariableName = z.string().regex(/^[A-Z_][A-Z0-9_]{0,127}$/, "expected a variable's name");

const Price = z.number().min(0).max(1_000_000);

/** What one run of an agent may use; whatever is reached first ends it, and its work is kept. */
export const AgentLimits = z.strictObject({
  /** More than a quarter of an hour takes an exception: small runs that end are the rule. */
  seconds: z.int().min(1).max(86_400).default(900),
  /** Silent for this long, with nothing running beneath it: it is said. */
  idle_seconds: z.int().min(1).max(86_400).default(300),
  /** Silent for this long: it is stopped. */
  stuck_seconds: z.int().min(1).max(86_400).default(900),
  tokens: z.int().min(1).optional(),
  /** In millionths of a dollar, so that sums are exact. */
  micro_usd: z.int().min(1).optional(),
  /** Dollars for a million tokens: what its model costs where the agent tells less, or nothing. */
  price: z.strictObject({ input: Price, output: Price }).optional(),
  turns: z.int().min(1).optional(),
  /** Uses of its tools as it tells them, or programs that it starts if it tells of none; 0 where it is to answer from what it was given alone. */
  tool_calls: z.int().min(0).optional(),
  output_bytes: z
    .int()
    .min(1)
    .max(1 << 30)
    .default(64 * (1 << 20)),
});
export type AgentLimits = z.infer<typeof AgentLimits>;

const common = {
  limits: AgentLimits.prefault({}),
  /** The model service that it talks to; nothing else can be reached. */
  endpoint: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .optional(),
  /** The variable of the caller's that holds the credential. The agent itself sees a placeholder. */
  key_env: VariableName.optional(),
};

/** How to run an agent, as `sworn.yaml` says it. */
export const AgentConfig = z.discriminatedUnion("driver", [
  z.strictObject({
    driver: z.literal("builtin"),
    /** Which of them take part; all, where nobody says. */
    reviewers: z.array(z.enum(BUILT_IN_REVIEWERS)).min(1).max(BUILT_IN_REVIEWERS.length).optional(),
    ...common,
  }),
  z.strictObject({
    driver: z.literal("command"),
    /** The program and its arguments; `{prompt}` and `{prompt_file}` stand for the prompt and its file. */
    argv: Words.min(1),
    /** How it gets the prompt when no argument does. */
    prompt: z.enum(["stdin", "file"]).default("stdin"),
    ...common,
  }),
  z.strictObject({
    driver: z.literal("cli"),
    preset: z.enum(PRESETS),
    /** Where the program is, when not on the PATH. */
    program: Word.optional(),
    model: Word.optional(),
    args: Words.default([]),
    ...common,
  }),
  z.strictObject({
    driver: z.literal("acp"),
    argv: Words.min(1),
    /** Its own settings, as far as they are variables; `{endpoint}` stands for where its model answers. */
    env: z.record(VariableName, z.string().max(4_096)).default({}),
    ...common,
  }),
  z.strictObject({
    driver: z.literal("model"),
    provider: z.enum(PROVIDERS),
    model: Word,
    ...common,
  }),
]);
export type AgentConfig = z.infer<typeof AgentConfig>;

/** What an agent did or said, whatever it calls it. All of it is its own word. */
export type AgentEvent =
  | { readonly kind: "text"; readonly text: string }
  /** A call that it began; the input is cut. */
  | { readonly kind: "tool"; readonly name: string; readonly input?: string }
  /** How a call ended, as it says. Until then something may be running beneath a silent agent. */
  | { readonly kind: "tool_end"; readonly name: string; readonly failed: boolean }
  /** What it used since the last one of these, as far as it tells. */
  | {
      readonly kind: "usage";
      readonly inputTokens: number;
      readonly outputTokens: number;
      readonly microUsd?: number;
    }
  | { readonly kind: "turn" }
  /** Something that it says went wrong; it may have tried again and succeeded afterwards. */
  | { readonly kind: "error"; readonly why: ErrorKind; readonly message: string }
  /**
   * Its last words: what counts as its answer. At most once, and not at all when it ended in an
   * error: whatever it had said before is no answer then.
   */
  | { readonly kind: "answer"; readonly text: string }
  /** A part of its stream that could not be read as what it should be. */
  | { readonly kind: "unread"; readonly text: string };

/** What went wrong with the model behind an agent, as far as it decides what to do next. */
export type ErrorKind = "busy" | "unavailable" | "credential" | "quota" | "other";
