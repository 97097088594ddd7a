import { expect, test } from "vitest";
import { checkPlan, type GateProfile, mayStart } from "../../../src/plan/index.ts";
import type { Plan } from "../../../src/schema/plan.ts";
import { verifies } from "../../verifies.ts";
import { aPlan, broken, planWith, subtaskOf, told } from "./a-plan.ts";

test("names that nobody has are found wherever they stand", () => {
  const found = broken((plan) => {
    subtaskOf(plan, 1).depends_on.push("ST-09");
    subtaskOf(plan, 1).context_required["ST-08"] = ["x"];
    plan.assembly_order.push("ST-07");
    plan.staging_paths["ST-06"] = {
      staging_dir: "/build/.forge-staging/limits/polecat_ST-06/",
      output_file: "/build/.forge-staging/limits/polecat_ST-06/a",
      sentinel_file: "/build/.forge-staging/limits/polecat_ST-06/POLECAT_DONE",
    };
    plan.handoff_ready = false;
    plan.blocking_questions = [
      { id: "BQ-01", question: "q", context: "c", default_assumed: "d", blocking: "ST-05" },
    ];
  }).filter((one) => one.startsWith("unknown-id"));
  expect(found).toEqual([
    "unknown-id subtasks[1].depends_on[1]",
    "unknown-id subtasks[1].context_required.ST-08",
    "unknown-id staging_paths.ST-06",
    "unknown-id assembly_order[4]",
    "unknown-id blocking_questions[0].blocking",
  ]);
});

test("a cycle is named, round and round", () => {
  const messages = told("cycle", (plan) => {
    subtaskOf(plan, 0).depends_on = ["ST-03"];
    subtaskOf(plan, 0).context_required = { "ST-03": ["status"] };
  });
  expect(messages).toEqual([expect.stringContaining("ST-01 → ST-03 → ST-02 → ST-01")]);
  const self = told("cycle", (plan) => {
    subtaskOf(plan, 0).depends_on = ["ST-01"];
  });
  expect(self).toEqual([expect.stringContaining("ST-01 → ST-01")]);
});

test("two subtasks or questions of one name are refused, and so are the gate's own names", () => {
  const found = broken((plan) => {
    plan.subtasks.push({ ...subtaskOf(plan, 3) });
    plan.handoff_ready = false;
    const question = { question: "q", context: "c", default_assumed: "d", blocking: "ST-01" };
    plan.blocking_questions = ["BQ-01", "BQ-01", "BQ-9003"].map((id) => ({ ...question, id }));
  });
  expect(found).toEqual([
    "duplicate-id subtasks[4].id",
    "duplicate-id blocking_questions[1].id",
    "duplicate-id blocking_questions[2].id",
  ]);
});

verifies(
  ["001-27", "001-53"],
  "keys are named, exist upstream, and their owner is depended on",
  () => {
    const found = broken((plan) => {
      subtaskOf(plan, 1).context_required = { "ST-01": ["speed", "*"], "ST-04": ["path"] };
      subtaskOf(plan, 2).context_required = {};
      subtaskOf(plan, 3).context_required = { "ST-01": [] };
    });
    expect(found).toEqual([
      "law-04 subtasks[1].context_required.ST-01[0]",
      "law-04 subtasks[1].context_required.ST-01[1]",
      "law-04 subtasks[1].context_required.ST-04",
      "law-04 subtasks[2].context_required",
      "law-04 subtasks[3].context_required.ST-01",
    ]);
  },
);

test("keys that every object has are no keys of an output", () => {
  const found = broken((plan) => {
    subtaskOf(plan, 1).context_required = { "ST-01": ["toString", "constructor"] };
  });
  expect(found).toHaveLength(2);
});

verifies("001-27", "a subtask that is said to take longer than two hours is refused", () => {
  const found = (words: string) =>
    told("law-04", (plan) => {
      subtaskOf(plan, 0).instruction += ` ${words}`;
    });
  expect(found("It takes 3 hours.")).toEqual([expect.stringContaining("split it")]);
  expect(found("Estimated 1 day.")).toHaveLength(1);
  expect(found("It takes 2 hours.")).toEqual([]);
  expect(found("Tokens live for 24 hours.")).toEqual([]);
});

verifies(
  ["001-58", "001-59"],
  "several subtasks need a watcher, and each its staging paths",
  () => {
    expect(
      broken((plan) => {
        plan.deacon_required = false;
        delete plan.staging_paths["ST-02"];
      }),
    ).toEqual(["invariant-staging staging_paths", "invariant-monitor deacon_required"]);
  },
);

test("the assembly order is every subtask once, behind what it depends on", () => {
  expect(
    broken((plan) => {
      plan.assembly_order = ["ST-02", "ST-01", "ST-03", "ST-01"];
    }),
  ).toEqual([
    "assembly-order assembly_order[3]",
    "assembly-order assembly_order[0]",
    "orphan subtasks[3].id",
  ]);
});

verifies(
  "001-49",
  "staging folders are absolute, of one build, and hold output and sentinel",
  () => {
    const at = (field: "staging_dir" | "output_file" | "sentinel_file", path: string) =>
      broken((plan) => {
        const paths = plan.staging_paths["ST-01"];
        if (paths) paths[field] = path;
      });
    const folder = "/build/.forge-staging/limits/polecat_ST-01";
    for (const path of [
      ".forge-staging/limits/polecat_ST-01/",
      "/build/.forge-staging/limits/../polecat_ST-01/",
      "/build//.forge-staging/limits/polecat_ST-01/",
      "/build/.forge-staging/limits/polecat_ST-02/",
      "/build/staging/limits/polecat_ST-01/",
      "/build/.forge-staging/polecat_ST-01/",
      "/build/.forge-staging/li mits/polecat_ST-01/",
      "/build/.forge-staging/limits/polecat_ST-01/\u0000",
      "C:\\build\\.forge-staging\\limits\\polecat_ST-01\\",
    ]) {
      expect(at("staging_dir", path), path).toContain("staging staging_paths.ST-01.staging_dir");
    }
    for (const path of [
      folder,
      `${folder}/`,
      `${folder}/POLECAT_DONE`,
      "/build/out.json",
      `${folder}/../x`,
    ]) {
      expect(at("output_file", path), path).toEqual(["staging staging_paths.ST-01.output_file"]);
    }
    expect(at("sentinel_file", `${folder}/DONE`)).toEqual([
      "staging staging_paths.ST-01.sentinel_file",
    ]);
    const other = broken((plan) => {
      plan.staging_paths["ST-04"] = {
        staging_dir: "/build/.forge-staging/other/polecat_ST-04/",
        output_file: "/build/.forge-staging/other/polecat_ST-04/output.md",
        sentinel_file: "/build/.forge-staging/other/polecat_ST-04/POLECAT_DONE",
      };
    });
    expect(other).toEqual(["staging staging_paths.ST-04.staging_dir"]);
  },
);

test("two subtasks never write to one place, however it is spelt", () => {
  const found = broken((plan) => {
    const paths = plan.staging_paths["ST-04"];
    if (paths) paths.output_file = "/build/.forge-staging/limits/polecat_ST-01/OUTPUT.json";
  });
  expect(found).toEqual([
    "staging staging_paths.ST-04.output_file",
    "duplicate-output staging_paths.ST-04.output_file",
  ]);
});

test("no file has two owners, in folders neither", () => {
  const { plan } = checkPlan(aPlan());
  const own = (files: string[][]): string[] => {
    const changed = structuredClone(plan) as Plan;
    for (const [at, owned] of files.entries()) {
      const subtask = changed.subtasks[at];
      if (subtask) subtask.files = owned;
    }
    return checkPlan(changed).violations.map(({ rule, path }) => `${rule} ${path}`);
  };
  expect(own([["src/a.py"], ["src/b.py"], ["docs/"], ["config/"]])).toEqual([]);
  expect(own([["src/a.py"], ["src/A.py"]])).toEqual(["two-owners subtasks[1].files[0]"]);
  expect(own([["src/"], ["src/b/c.py"]])).toEqual(["two-owners subtasks[1].files[0]"]);
  expect(own([["src/b/c.py"], ["src/"]])).toEqual(["two-owners subtasks[0].files[0]"]);
  expect(own([["src/"], ["src/"]])).toEqual(["two-owners subtasks[1].files[0]"]);
  expect(own([["src/", "src/a.py"], ["srcs/a.py"]])).toEqual([]);
});

/** What may begin in the example, with a question about one subtask. */
const start = (blocks: string | null, profile: GateProfile, ...done: string[]) =>
  mayStart(aPlan(), blocks === "" ? [] : [{ blocks }], profile, new Set(done));

test("a question holds what it names and what depends on it; in strict, everything", () => {
  expect(start("", "strict")).toEqual(["ST-01"]);
  expect(start("", "solo", "ST-01")).toEqual(["ST-02", "ST-04"]);
  expect(start("ST-02", "team", "ST-01")).toEqual(["ST-04"]);
  expect(start("ST-02", "strict", "ST-01")).toEqual([]);
  expect(start("ST-01", "team", "ST-01", "ST-02")).toEqual([]);
  expect(start("ST-04", "team", "ST-01", "ST-02")).toEqual(["ST-03"]);
  expect(start(null, "solo", "ST-01")).toEqual([]);
  expect(start("ST-77", "solo", "ST-01")).toEqual([]);
});

test("a chain of a thousand and a tangle of cycles are judged in a moment", () => {
  const began = performance.now();
  const long = planWith((plan) => {
    const first = subtaskOf(plan, 0);
    const id = (at: number) => `ST-${String(at).padStart(4, "0")}`;
    plan.subtasks = Array.from({ length: 1_000 }, (_, at) => ({
      ...first,
      id: id(at),
      depends_on: Array.from({ length: 100 }, (_unused, step) => id((at + step + 1) % 1_000)),
    }));
  });
  expect(checkPlan(long).violations.some(({ rule }) => rule === "cycle")).toBe(true);
  expect(performance.now() - began).toBeLessThan(5_000);
});
