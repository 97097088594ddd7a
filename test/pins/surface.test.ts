import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { COMMANDS } from "../../src/cli/commands.ts";
import { EVENT_TYPES, ROLES } from "../../src/schema/index.ts";
import { STATES } from "../../src/view/index.ts";

const DIST = resolve(import.meta.dirname, "../../dist");
const exportsOf = async (file: string): Promise<string[]> =>
  Object.keys((await import(pathToFileURL(resolve(DIST, file)).href)) as object).sort();

test("what the package exports", async () => {
  expect(await exportsOf("index.js")).toEqual([
    "EventRequest",
    "Place",
    "Recorder",
    "SwornError",
    "readTrace",
    "revokeKey",
    "rotateKey",
    "summarize",
  ]);
});

test("what the verifier exports", async () => {
  expect(await exportsOf("verify/index.js")).toEqual([
    "ARTIFACT_PREFIX",
    "SMALL_MEMBER_BYTES_MAX",
    "isBetter",
    "keysDocument",
    "openBundle",
    "salvageLines",
    "verifyBundle",
    "verifyProof",
    "verifyTrace",
  ]);
});

test("the commands, their words and their options", () => {
  const lines = COMMANDS.map(({ path, positionals = [], options = {} }) => {
    const words = positionals.map(({ name, optional }) => (optional ? `[${name}]` : `<${name}>`));
    return [...path, ...words, ...Object.keys(options).map((name) => `--${name}`)].join(" ");
  });
  expect(lines).toEqual([
    "init --passphrase-file --here",
    "review [range] --staged --pr --with --fail-on --sarif --annotations --baseline",
    "audit [path] --at --with --fail-on --sarif --annotations --baseline",
    "check <reports> --at --repo --sarif",
    "dismiss [findings] --why --from --undo",
    "contract <workflow> --out --files --range --task --overlap",
    "validate <contract> --at --repo --wait --sarif",
    "plan check <plan> --profile --task --project --deadline",
    "plan explain <plan> --profile --svg --mermaid --force",
    "plan [request] --agent --task --out --no-design --from --force",
    "mcp --task --http --port",
    "agents ls --all",
    "agents try <agent>",
    "agents run <agent> [prompt] --prompt-file --task --at --rounds --question --role",
    "agents runs --task --all",
    "agents show <run>",
    "agents take <run> --only",
    "cancel <run>",
    "resume --save --rounds --waive",
    "extract <response> --out",
    "work <plan> --agent --at --parallel --profile --task --waive",
    "run [request] --plan --agent --at --profile --to --send",
    "ci --base --head --body --post --request --repository --api --markdown --sarif --strict",
    "verify <target> --key --profile --fast --rerun",
    "trace record <script> --trace --artifacts-from",
    "trace ls --all",
    "trace show <trace> [entry] --artifact",
    "trace tail <trace> --lines --follow",
    "trace export <trace> --out --force",
    "trace import <bundle> --key",
    "trace prove <trace> <entry> --since --out --force",
    "trace fsck [trace]",
    "trace recover <trace> --accept-loss",
    "context [parts] --task --select --full",
    "trace requirements --at --task",
    "exec [command] --env --task --context --dry-run --engine --pull --pinned --install --out --report --reproduce --seed --timeout --memory --spend",
    "clear <trace> --by --why --out --refuse",
    "deliver <subject> --out --to --send",
    "doctor",
    "prove",
    "bus post [text] --task --project --file --kind --parent --issue --meta",
    "bus read [message] --task --project --since --kind --last --follow",
    "bus ls --all",
    "ask [text] --task --project --file --default --id --blocks --tier --deadline --beats --to",
    "answer [question] [text] --task --project --file --overdue",
    "fact add [text] --task --project --file --title --id",
    "fact ls --task --project",
    "fact promote [fact] --task",
    "state --task --project --note --write",
    "board --task --project --lock",
    "mail take --task --project --box",
    "mail send [text] --task --project --file --to --subject --priority --box",
    "mail ls --box",
    "propose [commit] --task --trace --base --why --risk --risk-class --rollback --scope --defer --beats --requirement --docs",
    "vote <completion> [colour] --task --trace --checks --scope --why --evidence --mitigation --fix",
    "status [completion] --task --trace --review --watch",
    "settle <completion> --task --trace --into --ask --merged --rejected --why",
    "decide [choice] --task --trace --context --option --id --file --claim --requirement --replaces --for --accept --why",
    "beat --task --trace --open --frame --phase --report",
    "policy test [cases] --policies",
    "policy explain <facts> --policies",
    "exception add --rule --task --name --reason --owner --requester --approver --until --rollback --secret-review",
    "exception ls",
    "exception end <exception> --why",
    "env build <name>",
    "env ls --verify",
    "env detect [folder] --language --model --url --description --task",
    "hook install <kind> --user",
    "hook remove <kind> --user",
    "hook ls",
    "hook run <kind> [message]",
    "keys list",
    "keys rotate <agent>",
    "keys revoke <agent> --key --reason",
    "keys export-public [agent] --all --key-id",
  ]);
});

test("the words of the record: roles, states, event types", () => {
  expect([...ROLES]).toEqual(["planner", "executor", "critic", "auditor", "operator", "runtime"]);
  expect([...STATES]).toEqual([
    "initialized",
    "planning",
    "reviewing",
    "executing",
    "claiming",
    "auditing",
    "completed",
    "failed",
    "aborted",
  ]);
  expect([...EVENT_TYPES]).toEqual([
    "session_initialized",
    "proposal_created",
    "proposal_reviewed",
    "tool_intent_signed",
    "intent_reviewed",
    "tool_execution_started",
    "tool_execution_completed",
    "tool_execution_failed",
    "artifact_recorded",
    "claim_issued",
    "claim_challenged",
    "challenge_resolved",
    "finding_checked",
    "final_statement_signed",
    "verification_run_started",
    "verification_run_completed",
    "rework_opened",
    "completion_proposed",
    "vote_cast",
    "review_moved",
    "session_failed",
    "session_aborted",
    "agent_enrolled",
    "run_started",
    "run_completed",
    "beat_opened",
    "status_claimed",
    "lease_taken",
    "lease_ended",
    "message_posted",
    "question_asked",
    "question_answered",
    "fact_recorded",
    "decision_recorded",
    "exception_recorded",
    "key_rotated",
    "key_revoked",
    "gap_recorded",
  ]);
});
