import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Place } from "../../src/flow/place.ts";
import { type JudgeRequest, judgeContract } from "../../src/flow/validate/judge-contract.ts";
import { temporaryFolder } from "../fake/sandbox.ts";

export const NONCE = "0123456789abcdef0123456789abcdef";
export const SOURCE: Record<string, string> = {
  "src/shell.js":
    'const cp = require("child_process");\nexports.run = (name) => {\n\tcp.exec("ping " + name);\n};\n',
  "src/login.js": "exports.login = (user, word) => {\n  return user.word == word;\n};\n",
};
const SECTIONS = ["P1 (Critical)", "P2 (High)", "P3 (Medium)", "Self-Review Log", "Summary"];
const PROSE = "I looked at every file that was given to me, and this is all that I saw there.";

/** One finding as an agent writes it. */
export interface Said {
  readonly id: string;
  readonly priority: "P1" | "P2" | "P3";
  readonly title: string;
  readonly place: string;
  readonly quote: string;
}

export const SHELL: Said = {
  id: "BACK-001",
  priority: "P1",
  title: "A name reaches the shell",
  place: "src/shell.js:3",
  quote: '\tcp.exec("ping " + name);',
};
export const COMPARE: Said = {
  id: "SEC-001",
  priority: "P2",
  title: "Words are compared one letter at a time",
  place: "src/login.js:2",
  quote: "  return user.word == word;",
};
export const LIE: Said = {
  id: "SEC-002",
  priority: "P1",
  title: "Input is evaluated",
  place: "src/login.js:3",
  quote: "eval(user.input)",
};

/** A finding in the form that prompts ask for. */
export function findingText({ id, title, place, quote }: Said): string {
  const [file, line] = place.split(":");
  return [
    `- [ ] **[${id}] ${title}** in \`${place}\``,
    "  - **Rune Trace:**",
    "    ```js",
    `    // Lines ${line}-${line} of ${file}`,
    ...quote.split("\n").map((one) => `    ${one}`),
    "    ```",
    "  - **Issue:** it goes wrong",
    "  - **Fix:** do it another way",
  ].join("\n");
}

/** A deliverable in order: every section, the log, and the Seal at its end. */
export function deliverable(
  findings: readonly Said[],
  { nonce = NONCE, extra = "" }: { nonce?: string; extra?: string } = {},
): string {
  const serious = findings.filter(({ priority }) => priority !== "P3");
  const part = (priority: string) =>
    findings
      .filter((one) => one.priority === priority)
      .map(findingText)
      .join("\n");
  const rows = serious.map(({ id }, index) => `| ${index + 1} | ${id} | confirmed | it is there |`);
  const log = ["| # | Finding | Action | Notes |", "| --- | --- | --- | --- |", ...rows].join("\n");
  const bodies = [part("P1"), part("P2"), part("P3"), rows.length === 0 ? "" : log, extra];
  return [
    "# Report",
    ...SECTIONS.map((title, index) => `## ${title}\n\n${PROSE}\n\n${bodies[index]}`),
    `---\nSEAL: { findings: ${findings.length}, evidence_verified: true, confidence: 0.9, self_reviewed: true, self_review_actions: "confirmed: ${serious.length}, revised: 0, deleted: 0", nonce: "${nonce}" }\n---\n`,
  ].join("\n\n");
}

const teammate = (name: string, scope: string) => ({
  name,
  output_file: `${name}.md`,
  required_sections: SECTIONS,
  role: `The part of ${name}`,
  file_scope: [scope],
});

export const CONTRACT = {
  workflow: "rune-review",
  timestamp: "2026-02-11T10:30:00Z",
  output_dir: "out/",
  nonce: NONCE,
  teammates: [teammate("forge", "src/shell.js"), teammate("ward", "src/login.js")],
  aggregator: { name: "runebinder", output_file: "TOME.md" },
  verification: {
    enabled: true,
    layer_0_circuit: { failure_threshold: 3, recovery_seconds: 60 },
    layer_2_circuit: { failure_threshold: 2, recovery_seconds: 120 },
    max_reverify_agents: 2,
  },
};

/** A repository in which a team worked, and its contract in `out`. */
export class TeamRun {
  readonly folder = temporaryFolder();
  readonly root = join(this.folder, "repo");
  readonly out = join(this.root, "out");
  nowMs = Date.parse("2026-02-11T11:00:00Z");

  constructor(contract: object = CONTRACT) {
    for (const [path, text] of Object.entries(SOURCE)) this.write(join(this.root, path), text);
    this.git("init", "-q", "-b", "main");
    this.git("add", "-A");
    this.git("commit", "-q", "-m", "source");
    this.write(join(this.out, "inscription.json"), JSON.stringify(contract));
  }

  git(...args: string[]): string {
    const config = ["-c", "user.name=A", "-c", "user.email=a@example.org"];
    const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
    return execFileSync("git", [...config, ...args], { cwd: this.root, env, encoding: "utf8" });
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  /** Puts a file where the team writes. */
  deliver(name: string, text: string): void {
    this.write(join(this.out, name), text);
  }

  has(name: string): boolean {
    return existsSync(join(this.out, name));
  }

  read(name: string): string {
    return readFileSync(join(this.out, name), "utf8");
  }

  json<T = Record<string, unknown>>(name: string): T {
    return JSON.parse(this.read(name)) as T;
  }

  get breakers(): string {
    return join(this.root, ".sworn", "breakers.json");
  }

  place(root: string): Place {
    const state = join(this.folder, "state");
    return new Place({ store: join(root, ".sworn"), state, clock: () => this.nowMs });
  }

  async judge(more: Partial<JudgeRequest> = {}) {
    return judgeContract({
      contract: join(this.out, "inscription.json"),
      repository: this.root,
      wait: false,
      env: process.env,
      signal: new AbortController().signal,
      placeFor: (root) => this.place(root),
      onProgress: () => {},
      ...more,
    });
  }

  /** The outcome, where one is expected. */
  async validated(more: Partial<JudgeRequest> = {}) {
    const outcome = await this.judge(more);
    if (outcome.kind !== "validated") throw new Error(outcome.kind);
    return outcome;
  }
}
