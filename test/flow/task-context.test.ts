import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { detectInFolder } from "../../src/flow/environment/environment-detect.ts";
import {
  hintsOf,
  rationaleOf,
  readTaskContext,
  taskNameOf,
} from "../../src/flow/environment/task-context.ts";
import { temporaryFolder } from "../fake/sandbox.ts";
import { verifies } from "../verifies.ts";

function written(value: unknown): string {
  const path = join(temporaryFolder(), "task.json");
  writeFileSync(path, typeof value === "string" ? value : JSON.stringify(value));
  return path;
}

const CONTEXT = {
  task_id: "PROJ-001",
  description: "Fix what pytest says",
  context: { language: "rust", repository_url: "https://example.org/user/app-go" },
};

verifies("004-19", "a task's context names the task and chooses its environment", () => {
  const folder = temporaryFolder();
  const choose = (value: unknown) => {
    const found = detectInFolder(folder, hintsOf(readTaskContext(written(value))));
    return rationaleOf(found);
  };
  expect(taskNameOf(readTaskContext(written(CONTEXT)))).toBe("proj-001");
  expect(choose(CONTEXT)).toBe('rust, by the stated language: "rust"');
  const { repository_url } = CONTEXT.context;
  expect(choose({ ...CONTEXT, context: { repository_url } })).toBe(
    'go, by the repository\'s address: "go"',
  );
  expect(choose({ ...CONTEXT, context: {} })).toBe('python, by the description: "pytest"');
  expect(choose({ task_id: "a", description: "Do it" })).toContain("base: nothing speaks");
});

test.each([
  [{ ...CONTEXT, shell: "bash" }, "shell"],
  [{ ...CONTEXT, context: { ...CONTEXT.context, image: "latest" } }, "image"],
  [{ ...CONTEXT, task_id: "../up" }, "task_id"],
  [{ task_id: "a" }, "description"],
  ["{", "cannot be read"],
  [`{"task_id":"a","task_id":"b","description":"c"}`, "cannot be read"],
  [" ".repeat(300_000), "cannot be read"],
])("what is not a task's context is named: %#", (value, what) => {
  expect(() => readTaskContext(written(value))).toThrow(what);
});

test("a link is not followed", () => {
  const link = join(temporaryFolder(), "link.json");
  symlinkSync(written(CONTEXT), link);
  expect(() => readTaskContext(link)).toThrow("cannot be read");
});
