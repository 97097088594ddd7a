import type { Node } from "../syntax/index.ts";
import { helpersIn, outsideCase } from "./file-cases.ts";
import { type Announced, announcedBy } from "./javascript-announced.ts";
import { argumentsOf, chainOf, isFunction } from "./javascript-chain.ts";
import { javascriptDialect, rowsOf } from "./javascript-dialect.ts";
import { reachedOf, readBody } from "./read-body.ts";
import { kindOf, lineOf, partsOf, type Reading } from "./reading.ts";
import { javascriptReplaced } from "./replaced-words.ts";
import type { Body, Mark, TestCase, TestFile } from "./test-case.ts";

const HOOKS = /^(?:before|after)(?:Each|All)?$|^(?:setup|teardown)(?:Suite)?$/;
const MOCKING = /^(?:mock|doMock|unstable_mockModule|setMock|proxyquire)$/;

/** Reads the tests of a JavaScript or TypeScript file, and the functions that they may call. */
export function readJavascript(root: Node, reading: Reading, isTestFile: boolean): TestFile {
  const walk = new FileWalk(reading, isTestFile, constantsOf(root));
  walk.visit(root, { within: [], marks: [], rows: [] }, 0);
  walk.addFile(root);
  const { tests, mocks, imports } = walk;
  return { tests, mocks, imports, replaced: javascriptReplaced(root), brokenChars: 0 };
}

/** Tables that have a name at the top of the file. */
function constantsOf(root: Node): ReadonlyMap<string, Node> {
  const found = new Map<string, Node>();
  for (const statement of partsOf(root)) {
    if (kindOf(statement) !== "lexical_declaration") continue;
    for (const declared of partsOf(statement)) {
      const [name, value] = [declared.field("name"), declared.field("value")];
      if (name && value) found.set(name.text(), value);
    }
  }
  return found;
}

interface Around {
  readonly within: readonly string[];
  readonly marks: readonly Mark[];
  /** Of the loops around, which make one test of each row. */
  readonly rows: readonly string[];
}

class FileWalk {
  readonly tests: TestCase[] = [];
  readonly mocks: string[] = [];
  readonly imports: string[] = [];
  readonly #reading: Reading;
  readonly #isTestFile: boolean;
  readonly #constants: ReadonlyMap<string, Node>;
  /** Statements of the file that hold a test, a suite or a function. */
  readonly #taken = new Set<number>();
  #statement = 0;
  #helpers: ReadonlySet<string> | undefined;

  constructor(reading: Reading, isTestFile: boolean, constants: ReadonlyMap<string, Node>) {
    this.#reading = reading;
    this.#isTestFile = isTestFile;
    this.#constants = constants;
  }

  visit(node: Node, around: Around, depth: number): void {
    this.#reading.enter(depth);
    if (depth === 1) this.#statement = node.id();
    const kind = kindOf(node);
    if (kind === "import_statement") {
      this.imports.push(bare(node.field("source")?.text() ?? ""));
      return;
    }
    if (kind === "call_expression" && this.#call(node, around, depth)) return;
    const name = functionName(node, kind);
    if (name !== undefined) this.#addPlain(name, node, around);
    const rows = kind === "for_in_statement" ? this.#rows(node.field("right")) : [];
    const inner = {
      ...around,
      within: name === undefined ? around.within : [...around.within, name],
      rows: rows.length > 0 ? rows : around.rows,
    };
    for (const child of reachedOf(node)) this.visit(child, inner, depth + 1);
  }

  /** Whether a call was a test, a suite or a hook, and needs no further look. */
  #call(node: Node, around: Around, depth: number): boolean {
    const announced = announcedBy(node, this.#isTestFile);
    if (announced?.isSuite) {
      this.#taken.add(this.#statement);
      const inner = {
        within: [...around.within, announced.title],
        marks: [...around.marks, ...announced.marks],
        rows: announced.table ? this.#rows(announced.table) : around.rows,
      };
      if (announced.callback) this.visit(announced.callback, inner, depth + 1);
      return true;
    }
    if (announced) {
      this.#addTest(node, announced, around);
      return true;
    }
    return this.#otherCall(node, around);
  }

  #otherCall(node: Node, around: Around): boolean {
    const { root, rootArgs, links } = chainOf(node);
    const name = rootArgs === undefined ? (links[0]?.name ?? "") : root.text().slice(0, 60);
    const [first] = argumentsOf(node);
    if (MOCKING.test(name) && kindOf(first) === "string")
      this.mocks.push(bare(first?.text() ?? ""));
    if (name === "require" && kindOf(first) === "string")
      this.imports.push(bare(first?.text() ?? ""));
    const callback = argumentsOf(node).find((one) => isFunction(one));
    if (!HOOKS.test(name) || callback === undefined) return false;
    this.#addPlain(name, node, around);
    return true;
  }

  #addTest(node: Node, announced: Announced, around: Around): void {
    const { title, runner, marks, callback, table, timeoutMs, retries } = announced;
    this.#taken.add(this.#statement);
    this.tests.push({
      kind: "test",
      title,
      within: around.within,
      line: lineOf(node),
      text: this.#reading.folded(callback ?? node),
      runner: announced.isKnown ? "test" : runner,
      marks: [...around.marks, ...marks],
      rows: table ? this.#rows(table) : around.rows,
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      ...(retries === undefined ? {} : { retries }),
      body: () => this.#body(callback ?? node),
    });
  }

  #addPlain(name: string, node: Node, { within }: Around): void {
    this.#taken.add(this.#statement);
    const line = lineOf(node);
    this.tests.push({
      kind: "plain",
      title: name,
      within,
      line,
      text: this.#reading.folded(node),
      runner: "function",
      marks: [],
      rows: [],
      body: () => this.#body(node),
    });
  }

  /** What stands outside of all tests and functions, such as a script that is all assertions. */
  addFile(root: Node): void {
    const statements = reachedOf(root).filter(
      (one) => kindOf(one) === "expression_statement" && !this.#taken.has(one.id()),
    );
    const body = (): Body => {
      const bodies = statements.map((one) => this.#body(one));
      return {
        assertions: bodies.flatMap(({ assertions }) => assertions),
        marks: [],
        calls: new Set(bodies.flatMap(({ calls }) => [...calls])),
        rows: [],
      };
    };
    this.tests.push(outsideCase(statements, this.#reading, body));
  }

  #rows(table: Node | null | undefined): readonly string[] {
    return rowsOf(table, this.#reading, this.#constants);
  }

  #body(node: Node): Body {
    return readBody(
      node,
      javascriptDialect(this.#reading, this.#known(), this.#constants),
      this.#reading,
    );
  }

  #known(): ReadonlySet<string> {
    this.#helpers ??= helpersIn(this.tests, /\b(?:expect|assert)\b/);
    return this.#helpers;
  }
}

function functionName(node: Node, kind: string): string | undefined {
  if (/^(?:generator_)?function_declaration$/.test(kind)) return node.field("name")?.text();
  if (kind !== "variable_declarator" || !isFunction(node.field("value"))) return undefined;
  return node.field("name")?.text();
}

function bare(text: string): string {
  return text.replace(/^["'`]|["'`]$/g, "");
}
