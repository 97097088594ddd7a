import { join } from "node:path";
import { expect } from "vitest";
import { resolveFile } from "../../../src/flow/address/resolve-file.ts";
import { traceRequirements } from "../../../src/flow/requirement/trace-requirements.ts";
import { OPERATOR } from "../../../src/flow/talk/bus.ts";
import { Repository } from "../../../src/repo/index.ts";
import { isImmutable, parseAddress } from "../../../src/schema/address.ts";
import { opening, recording, request } from "../../fake/sandbox.ts";
import { GitFolder } from "../../repo/git-folder.ts";
import { verifies } from "../../verifies.ts";
import { opened, said, talkPlace } from "../talk/scene.ts";
import { planOf, subtask } from "../work/work-world.ts";

verifies(
  ["004-9", "004-10"],
  "each id is traced from its spec and decisions through code, commits and plan to its tests, and what is missing is named",
  async () => {
    const git = new GitFolder();
    const spec = "# Spec\n\n- SHOP-PAY-001: rounded once\n- SHOP-PAY-002: never negative\n";
    git.commit({
      "docs/spec.md": spec,
      "docs/decisions/0001.md": "# SHOP-PAY-003: in cents\n",
      "src/pay.ts": "// REQ: SHOP-PAY-001 — rounded once\n// WHY: the bank\nround();\n",
      "test/pay.test.ts": "test('[SHOP-PAY-001] rounds', f);\ntest('[SHOP-OLD-009] gone', f);\n",
      "test/fixtures/x.ts": "// SHOP-EXAMPLE-001\n",
      "node_modules/x/a.js": "// SHOP-EXAMPLE-002\n",
      "src/api.gen.ts": "// SHOP-EXAMPLE-003\n",
      "logo.png": Buffer.from("\0SHOP-EXAMPLE-004"),
    });
    git.git("add", "--force", "node_modules");
    git.git("commit", "-q", "--allow-empty", "-m", "feat(SHOP): SHOP-PAY-001 round once");
    git.git("commit", "-q", "--allow-empty", "-m", "see SHOP-PAY-002");
    const place = talkPlace({ store: join(git.path, ".sworn") });
    const bus = await opened({ place, task: "pay" });
    said(
      await bus.record({
        actor: { agent: OPERATOR.agent, role: "operator" },
        type: "decision_recorded",
        body: {
          decision_id: "d1",
          context: "What does SHOP-PAY-002 say of zero?",
          options: ["allowed"],
          choice: "allowed",
          links: [{ kind: "requirement", to: "SHOP-PAY-003" }],
        },
      }),
    );
    const unit = { objective: "Do it", assumptions: [], required_tools: ["x"] };
    const plan = planOf([
      subtask("ST-01"),
      subtask("ST-02", { instruction: "First this.\nSHOP-PAY-002: zero is allowed." }),
    ]);
    const body = { proposal_id: "plan", units: [{ ...unit, expected_evidence: ["y"] }] };
    await recording(place, [
      opening({ task: "pay" }),
      request("ada", "planner", "proposal_created", body, [
        { name: "plan", text: JSON.stringify(plan), media_type: "application/json" },
      ]),
    ]);
    const { signal } = new AbortController();
    const files = { repository: git.path, env: git.env, signal };
    const traced = await traceRequirements({ place, task: "pay", files });
    expect(traced.requirements.map(({ id, missing }) => [id, missing])).toEqual([
      ["SHOP-OLD-009", ["nothing defines it, and a test cites it"]],
      ["SHOP-PAY-001", ["src/pay.ts:1: its REQ line has no UCXL line"]],
      ["SHOP-PAY-002", ["no test cites it"]],
      ["SHOP-PAY-003", ["no test cites it", "nothing but its definition names it"]],
    ]);
    const [, first, second, third] = traced.requirements;
    expect(first).toMatchObject({
      defined: [{ path: "docs/spec.md", line: 3 }],
      cited: [{ path: "src/pay.ts", line: 1 }],
      tests: [{ path: "test/pay.test.ts", line: 1 }],
      commits: [git.git("rev-parse", "HEAD~1")],
    });
    expect(second).toMatchObject({
      plan: ["ST-02"],
      decisions: [expect.stringMatching(/^ucxl:.*\/sha256:[0-9a-f]{64}\/decision\/d1$/)],
    });
    expect(third?.decisions).toEqual([
      expect.stringContaining("/file/docs/decisions/0001.md#"),
      expect.stringMatching(/\/decision\/d1$/),
    ]);
    expect(traced.loose_subjects).toEqual([git.git("rev-parse", "HEAD")]);
    // Every link is fixed, and leads back to the line that defines the id.
    for (const { links } of [first, second, third].map((row) => row ?? { links: [] })) {
      expect(links.length).toBeGreaterThan(0);
      for (const link of links) {
        const parsed = parseAddress(link);
        expect(parsed.ok && isImmutable(parsed.address), link).toBe(true);
      }
    }
    const link = parseAddress(first?.links[0] ?? "");
    const repository = await Repository.open(git.path, { env: git.env });
    try {
      const found = link.ok ? await resolveFile(repository, link.address, "project") : undefined;
      expect(found?.text).toBe("- SHOP-PAY-001: rounded once");
    } finally {
      repository.close();
    }
  },
);
