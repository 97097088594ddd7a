import { expect, test } from "vitest";
import { columnsOf, type Io } from "../../src/cli/io.ts";
import { WorkView } from "../../src/cli/work-view.ts";
import { planOf, subtask } from "../flow/work/work-world.ts";

const PLAN = planOf([subtask("ST-01"), subtask("ST-02", { depends_on: ["ST-01"] })]);

function viewOn(isTerminal: boolean) {
  let shown = "";
  const err = (text: string) => {
    shown += text;
  };
  // The view touches nothing else of the process.
  const view = new WorkView({ err, isTerminal, columns: 40 } as unknown as Io);
  view.begin(PLAN);
  return { view, shown: () => shown };
}

test("where nobody watches, each thing that happens is one plain line", () => {
  const { view, shown } = viewOn(false);
  view.take({ about: "ST-01", words: "is\u001b[2J given\nto a worker", status: "running" });
  view.take({ about: "assembly", words: "begins" });
  expect(shown()).toBe("ST-01: is [2J given to a worker\nassembly: begins\n");
});

test("while there is no plan yet, no subtasks are counted", () => {
  let shown = "";
  const err = (text: string) => {
    shown += text;
  };
  const view = new WorkView({ err, isTerminal: true, columns: 40 } as unknown as Io);
  view.take({ about: "plan", words: "is asked for" });
  expect(shown).toBe("\u001b[K  plan is asked for\n");
});

test("where somebody watches, the graph is drawn, and drawn again in its place", () => {
  const { view, shown } = viewOn(true);
  view.take({ about: "ST-01", words: "is proven", status: "proven" });
  const lines = shown().replaceAll("\u001b[K", "").split("\n");
  expect(lines).toEqual([
    "+ ST-01 is proven",
    "· ST-02 after ST-01 ",
    "1 of 2 subtasks are done",
    "",
  ]);
  view.take({ about: "ST-02", words: "x".repeat(100), status: "running" });
  const again = shown().slice(shown().lastIndexOf("\u001b[3A"));
  expect(again).toContain("> ST-02 after ST-01 xxx");
  // Each line begins by clearing what stood there, and is cut to the terminal.
  for (const line of again.split("\u001b[K").slice(1)) expect(line.length).toBeLessThanOrEqual(40);
});

test("a terminal that was never told its size, and what is none, have no width to cut lines to", () => {
  expect(columnsOf({ isTTY: true, columns: 80 })).toBe(80);
  expect(columnsOf({ isTTY: true, columns: 0 })).toBe(undefined);
  expect(columnsOf({ columns: 80 })).toBe(undefined);
});
