import { expect, test } from "vitest";
import {
  BUILT_IN_TEAMS,
  makeContract,
  outputDirFor,
  toWorkflow,
  WORKFLOWS,
  type WorkflowName,
} from "../../src/plan/index.ts";
import { type CustomWorkflow, CustomWorkflow as Declared } from "../../src/schema/config.ts";
import { Contract } from "../../src/schema/contract.ts";
import { verifies } from "../verifies.ts";
import { contractOf, NONCE, REQUEST, reviewContract, team } from "./team.ts";

const REPORT = ["P1 (Critical)", "P2 (High)", "P3 (Medium)", "Self-Review Log", "Summary"];

function levelOf(workflow: WorkflowName | CustomWorkflow, size: number): string {
  const made = makeContract({ ...REQUEST, workflow, agents: team(size) });
  return made.kind === "contract" ? made.level : made.kind;
}

verifies(
  ["000-2", "000-3", "000-4", "000-5", "000-6"],
  "a review's contract carries every field of the format with its default",
  () => {
    const contract = contractOf(
      makeContract({
        ...REQUEST,
        workflow: "review",
        agents: team(2),
        prNumber: 142,
        branch: "fix/login",
      }),
    );
    expect(contract).toStrictEqual({
      workflow: "rune-review",
      timestamp: "2026-02-11T10:30:00Z",
      output_dir: "tmp/reviews/142/",
      pr_number: 142,
      branch: "fix/login",
      nonce: NONCE,
      teammates: [
        {
          name: "forge",
          output_file: "forge.md",
          required_sections: REPORT,
          role: "Backend code review",
          file_scope: ["src/**"],
        },
        {
          name: "ward",
          output_file: "ward.md",
          required_sections: REPORT,
          role: "Security review",
          file_scope: ["**"],
        },
      ],
      aggregator: { name: "runebinder", output_file: "TOME.md" },
      verification: {
        enabled: true,
        layer_0_circuit: { failure_threshold: 3, recovery_seconds: 60 },
        layer_2_circuit: { failure_threshold: 2, recovery_seconds: 120 },
        max_reverify_agents: 2,
      },
      context_engineering: {
        read_ordering: "source_first",
        instruction_anchoring: true,
        reanchor_interval: 5,
        context_budget: { backend: 30, security: 20, frontend: 25, docs: 25 },
      },
    });
  },
);

verifies("000-38", "three agents and more always get a contract that the schema accepts", () => {
  for (const workflow of ["review", "audit", "plan", "work"] as const) {
    for (const size of [3, 4, 5]) {
      const made = makeContract({ ...REQUEST, workflow, agents: team(size) });
      expect(Contract.safeParse(contractOf(made)).success).toBe(true);
    }
  }
});

verifies("000-39", "a review is verified on layers 0 and 2 whatever its size, and is bound", () => {
  expect([2, 3, 5].map((size) => levelOf("review", size))).toEqual([
    "layer-2",
    "layer-2",
    "layer-2",
  ]);
  expect(reviewContract().aggregator?.output_file).toBe("TOME.md");
  expect(reviewContract().teammates[0]?.required_sections).toEqual(REPORT);
});

verifies(
  "000-40",
  "an audit adds a validator to a review's layers, with a review's sections",
  () => {
    expect([2, 3, 5].map((size) => levelOf("audit", size))).toEqual([
      "validator",
      "validator",
      "validator",
    ]);
    const contract = contractOf(makeContract({ ...REQUEST, workflow: "audit", agents: team(3) }));
    expect(contract.verification?.layer_2_circuit).toBeDefined();
    expect(contract.teammates[0]?.required_sections).toEqual(REPORT);
  },
);

verifies("000-41", "planning research has layer 0, no aggregator, and five agents raise it", () => {
  expect([2, 3, 4, 5].map((size) => levelOf("plan", size))).toEqual([
    "layer-0",
    "layer-0",
    "layer-0",
    "layer-2",
  ]);
  const contract = contractOf(makeContract({ ...REQUEST, workflow: "plan", agents: team(3) }));
  expect(contract.verification).toStrictEqual({
    enabled: true,
    layer_0_circuit: { failure_threshold: 3, recovery_seconds: 60 },
  });
  expect(contract.aggregator).toBeUndefined();
  expect(contract.teammates[0]?.required_sections).toEqual([
    "Key Findings",
    "Recommendations",
    "Summary",
  ]);
});

verifies("000-42", "work reports status only and is never verified, however many take part", () => {
  expect([2, 3, 5].map((size) => levelOf("work", size))).toEqual(["none", "none", "none"]);
  const contract = contractOf(makeContract({ ...REQUEST, workflow: "work", agents: team(5) }));
  expect(contract.verification).toStrictEqual({ enabled: false });
  expect(contract.teammates[0]?.required_sections).toEqual(["Status", "Files Changed", "Tests"]);
});

verifies("000-44", "one agent alone gets no contract, and is told so", () => {
  expect(makeContract({ ...REQUEST, workflow: "review", agents: team(1) })).toStrictEqual({
    kind: "no-contract",
    reason: "one agent alone needs no contract; only its completion message is checked",
  });
});

test("an empty team is an error, not a team of one", () => {
  expect(() => makeContract({ ...REQUEST, workflow: "review", agents: [] })).toThrow(/0 agents/);
  expect(() => makeContract({ ...REQUEST, workflow: "review" })).toThrow(/0 agents/);
});

const custom = (extra: Partial<CustomWorkflow> = {}): CustomWorkflow => ({
  name: "licence-check",
  format: "research",
  agents: team(3),
  ...extra,
});

verifies(
  ["000-43", "000-61"],
  "a declared workflow says name, format, sections, agents and level, and size raises the level",
  () => {
    expect([2, 3, 5].map((size) => levelOf(custom(), size))).toEqual([
      "none",
      "layer-0",
      "layer-2",
    ]);
    expect(levelOf(custom({ verification: "layer-2" }), 3)).toBe("layer-2");
    expect(levelOf(custom({ verification: "layer-0" }), 5)).toBe("layer-2");
    expect(levelOf(custom({ verification: "none" }), 5)).toBe("none");
    expect(levelOf(custom({ format: "status", verification: "layer-2" }), 5)).toBe("none");
    const contract = contractOf(
      makeContract({ ...REQUEST, workflow: custom({ sections: ["Licences", "Summary"] }) }),
    );
    expect(contract.workflow).toBe("rune-licence-check");
    expect(contract.teammates.map(({ required_sections }) => required_sections)).toEqual([
      ["Licences", "Summary"],
      ["Licences", "Summary"],
      ["Licences", "Summary"],
    ]);
  },
);

verifies("000-60", "a declared workflow without sections takes those of its format", () => {
  const sections = (format: CustomWorkflow["format"]) =>
    contractOf(makeContract({ ...REQUEST, workflow: custom({ format }) })).teammates[0]
      ?.required_sections;
  expect(sections("report")).toEqual(REPORT);
  expect(sections("research")).toEqual(["Key Findings", "Recommendations", "Summary"]);
  expect(sections("status")).toEqual(["Status", "Files Changed", "Tests"]);
});

verifies(
  "000-64",
  "three researchers with verification off get the contract of the example",
  () => {
    const researchers = ["framework", "pattern", "codebase"].map((name) => ({
      name: `${name}-researcher`,
      role: `Research on ${name}`,
    }));
    const contract = contractOf(
      makeContract({
        ...REQUEST,
        outputDir: "tmp/research/auth-patterns/",
        workflow: {
          name: "deep-research",
          format: "research",
          agents: researchers,
          verification: "none",
        },
      }),
    );
    expect(contract.workflow).toBe("rune-deep-research");
    expect(contract.verification).toStrictEqual({ enabled: false });
    expect(contract.teammates.map(({ output_file }) => output_file)).toEqual([
      "framework-researcher.md",
      "pattern-researcher.md",
      "codebase-researcher.md",
    ]);
  },
);

test("only a declared workflow of reports is bound into one document", () => {
  const bound = (format: CustomWorkflow["format"]) =>
    contractOf(makeContract({ ...REQUEST, workflow: custom({ format }) })).aggregator?.output_file;
  expect([bound("report"), bound("research"), bound("status")]).toEqual([
    "TOME.md",
    undefined,
    undefined,
  ]);
});

test("an agent in no field of its own reads 25 files", () => {
  const contract = contractOf(makeContract({ ...REQUEST, workflow: "review", agents: team(5) }));
  expect(contract.context_engineering?.context_budget).toHaveProperty("fifth", 25);
});

test("a declared workflow cannot take the name of a built-in one", () => {
  expect(() => makeContract({ ...REQUEST, workflow: custom({ name: "review" }) })).toThrow(
    /"review" is built in/,
  );
});

test("two agents cannot owe the same file, nor the one that the parts are bound into", () => {
  const twice = [...team(2), { name: "FORGE", role: "Again" }];
  expect(() => makeContract({ ...REQUEST, workflow: "review", agents: twice })).toThrow(
    /forge\.md/,
  );
  const binder = [...team(2), { name: "TOME", role: "Again" }];
  expect(() => makeContract({ ...REQUEST, workflow: "review", agents: binder })).toThrow(
    /tome\.md/,
  );
});

test("names that are keys with a meaning, and roles of several lines, are refused", () => {
  const named = (name: string) => [...team(2), { name, role: "Odd" }];
  for (const name of ["__proto__", "../up", "a b", ""]) {
    expect(() => makeContract({ ...REQUEST, workflow: "review", agents: named(name) })).toThrow();
  }
  const roles = ["two\nlines", "hid\u200bden", "`code`", "turned\u202eround"];
  for (const role of roles) {
    const agents = [...team(2), { name: "odd", role }];
    expect(() => makeContract({ ...REQUEST, workflow: "review", agents })).toThrow(/one line/);
  }
});

verifies(
  "000-12",
  "a role that leaves no room for a message of 50 words is refused up front",
  () => {
    const agents = [...team(2), { name: "odd", role: "word ".repeat(40).trim() }];
    expect(() => makeContract({ ...REQUEST, workflow: "review", agents })).toThrow(/55 words/);
  },
);

test("the output folder is inside the project", () => {
  for (const outputDir of ["/etc", "../up/", "a/../../b", "C:/x", "a\\b"]) {
    expect(() =>
      makeContract({ ...REQUEST, workflow: "review", agents: team(3), outputDir }),
    ).toThrow(expect.objectContaining({ code: "PATH_ESCAPES" }));
  }
  const made = makeContract({ ...REQUEST, workflow: "review", agents: team(3), outputDir: "out" });
  expect(contractOf(made).output_dir).toBe("out/");
});

test("a nonce or a time of another form is refused", () => {
  const request = { ...REQUEST, workflow: "review", agents: team(3) } as const;
  expect(() => makeContract({ ...request, nonce: "1234" })).toThrow(/nonce/);
  expect(() => makeContract({ ...request, timestamp: "yesterday" })).toThrow(/timestamp/);
});

verifies("000-54", "files are dealt out within each agent's budget, and the rest is named", () => {
  const files = Array.from(
    { length: 60 },
    (_, index) => `web/${String(index).padStart(2, "0")}.ts`,
  );
  const made = makeContract({ ...REQUEST, workflow: "review", agents: team(4), files });
  if (made.kind !== "contract") throw new Error(made.reason);
  const counts = made.assignment?.given.map(({ name, files: own }) => [name, own.length]);
  expect(counts).toEqual([
    ["forge", 0],
    ["ward", 20],
    ["scribe", 0],
    ["weaver", 25],
  ]);
  expect(made.assignment?.gaps).toHaveLength(15);
});

test("an agent's own budget stands in the contract, and one field has one budget", () => {
  const agents = [...team(2), { name: "solo", role: "Alone", budget: 7 }];
  const contract = contractOf(makeContract({ ...REQUEST, workflow: "review", agents }));
  expect(contract.context_engineering?.context_budget).toEqual({
    backend: 30,
    security: 20,
    frontend: 25,
    docs: 25,
    solo: 7,
  });
  const torn = [...team(2), { name: "solo", role: "Alone", area: "backend", budget: 7 }];
  expect(() => makeContract({ ...REQUEST, workflow: "review", agents: torn })).toThrow(
    /"backend" has budgets of 30 and 7/,
  );
});

verifies(
  ["000-39", "000-40", "000-41", "000-42", "000-61"],
  "each workflow has a folder of its own and a size it is made for",
  () => {
    const { review, audit, plan, work } = WORKFLOWS;
    expect(outputDirFor(review, "142")).toBe("tmp/reviews/142/");
    expect(outputDirFor(audit, "a-1")).toBe("tmp/audit/a-1/");
    expect(outputDirFor(plan, "x")).toBe("tmp/research/");
    expect(outputDirFor(work, "x")).toBe(["tmp", "work", ""].join("/"));
    expect(outputDirFor(toWorkflow(Declared.parse(custom())), "7")).toBe("tmp/licence-check/7/");
    const notes = (workflow: WorkflowName, size: number) => {
      const made = makeContract({ ...REQUEST, workflow, agents: team(size) });
      return made.kind === "contract" ? made.notes : [];
    };
    for (const workflow of ["review", "audit", "plan"] as const) {
      expect(notes(workflow, 2)).toEqual([
        `${workflow} is made for 3 to 5 agents, this team has 2`,
      ]);
      expect([3, 5].flatMap((size) => notes(workflow, size))).toEqual([]);
    }
    expect(notes("work", 2)).toEqual([]);
  },
);

test("a run's name is a name and not a path", () => {
  for (const id of ["", "../x", "a/b", "a b", "x".repeat(65), "a\n"]) {
    expect(() => outputDirFor(WORKFLOWS.review, id), id).toThrow(
      expect.objectContaining({ code: "PATH_ESCAPES" }),
    );
  }
});

test("files that were dealt out are the scopes, each with one reader unless overlap is asked for", () => {
  const files = ["src/a.ts", "docs/[b].md"];
  const scopes = (overlap: boolean) =>
    contractOf(
      makeContract({ ...REQUEST, workflow: "review", agents: team(3), files, overlap }),
    ).teammates.map(({ file_scope }) => file_scope);
  expect(scopes(false)).toEqual([["src/a.ts"], [], ["docs/\\[b\\].md"]]);
  expect(scopes(true)).toEqual([
    ["src/a.ts"],
    ["src/a.ts", "docs/\\[b\\].md"],
    ["docs/\\[b\\].md"],
  ]);
});

test("every built-in workflow has a team that can be put under its contract", () => {
  for (const workflow of ["review", "audit", "plan", "work"] as const) {
    const made = makeContract({ ...REQUEST, workflow, agents: BUILT_IN_TEAMS[workflow] });
    expect([workflow, contractOf(made).teammates.length >= 3]).toEqual([workflow, true]);
    expect(made).toMatchObject({ notes: [] });
  }
});
