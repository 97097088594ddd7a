/** One test as a runner's report or output tells of it. */
export interface SeenTest {
  /** What it is called, the groups around it first, its own title last. */
  readonly path: readonly string[];
  readonly state: "passed" | "failed" | "skipped";
}

/** How runners and people write a test together with what is around it. */
const SEPARATORS = [" > ", " › ", " ", "::", ".", "/"] as const;
const PARTS_MAX = 50;

/** Whether a test goes by a name: its title, or its title with any of the groups before it. */
export function isCalled({ path }: SeenTest, name: string): boolean {
  const wanted = plain(name);
  const own = path.slice(-PARTS_MAX).map(plain);
  const title = own.at(-1);
  if (title === undefined || wanted === "") return false;
  return isWritten(own, wanted) || isWritten([...own.slice(0, -1), withoutCase(title)], wanted);
}

function isWritten(path: readonly string[], wanted: string): boolean {
  const title = path.at(-1);
  if (title === wanted) return true;
  const isJoined = SEPARATORS.some((separator) =>
    path.some((_, from) => path.slice(from).join(separator) === wanted),
  );
  if (isJoined) return true;
  // `tests/test_a.py::TestA::test_b`: the file is known from elsewhere, the rest is a dotted name.
  const dotted = wanted.split("::").filter((part) => !part.endsWith(".py"));
  return wanted.includes("::") && `.${path.join(".")}`.endsWith(`.${dotted.join(".")}`);
}

/** `test_a()` is how people write the name of a function. */
export function plain(name: string): string {
  return name
    .trim()
    .replace(/\(\)$/, "")
    .replace(/[ \t\r\n]+/g, " ");
}

/** The name without the values of one case: `test_a[1-2]`. */
function withoutCase(title: string): string {
  const at = title.indexOf("[");
  return at > 0 && title.endsWith("]") ? title.slice(0, at) : title;
}

/** What became of one named test in a run. */
export interface TestTally {
  readonly state: "green" | "red" | "skipped" | "absent";
  /** How many went by the name and really ran. */
  readonly executed: number;
}

/** All that go by the name must pass; one that was skipped did not run. */
export function tally(tests: readonly SeenTest[], name: string): TestTally {
  const named = tests.filter((test) => isCalled(test, name));
  const executed = named.filter(({ state }) => state !== "skipped").length;
  if (named.length === 0) return { state: "absent", executed };
  if (executed === 0) return { state: "skipped", executed };
  return { state: named.some(({ state }) => state === "failed") ? "red" : "green", executed };
}
