import type { Node } from "../syntax/index.ts";
import { helpersIn, outsideCase } from "./file-cases.ts";
import { dottedName } from "./python-assertion.ts";
import { pythonDialect, pythonMarks, pythonRows, setupMarks } from "./python-marks.ts";
import { reachedOf, readBody } from "./read-body.ts";
import { kindOf, lineOf, partsOf, type Reading } from "./reading.ts";
import { pythonReplaced } from "./replaced-words.ts";
import type { Body, Mark, TestCase, TestFile } from "./test-case.ts";

/** So far behind a function another one of its name is looked for. */
const AGAIN_MAX = 1_000;

interface Around {
  readonly within: readonly string[];
  readonly marks: readonly Mark[];
  /** Whether the runner looks for tests here. */
  readonly isCollected: boolean;
}

/** Reads the tests of a Python file, and the functions that they may call. */
export function readPython(root: Node, reading: Reading): TestFile {
  const walk = new FileWalk(reading, inheritedBy(root));
  walk.block(root, { within: [], marks: marksOf(root), isCollected: true }, 0);
  walk.addFile(root);
  const { mocks, imports } = walk;
  const tests = walk.tests.filter((test, at) => !isDefinedAgain(test, walk.tests, at));
  return { tests, mocks, imports, replaced: pythonReplaced(root), brokenChars: 0 };
}

/** Of two functions of one name in one place there is only the later one. */
function isDefinedAgain({ kind, title, within }: TestCase, all: readonly TestCase[], at: number) {
  const place = within.join("\0");
  const isSame = (other: TestCase) => other.title === title && other.within.join("\0") === place;
  return kind === "test" && all.slice(at + 1, at + 1 + AGAIN_MAX).some(isSame);
}

/** `pytestmark = pytest.mark.skip` and `pytest.skip(…, allow_module_level=True)` concern all tests. */
function moduleMarks(block: Node): Mark[] {
  return partsOf(block).flatMap((statement) => {
    const [inner] = partsOf(statement);
    if (kindOf(inner) === "assignment" && inner?.field("left")?.text() === "pytestmark") {
      const right = inner.field("right");
      return right ? pythonMarks(right) : [];
    }
    const isSkip =
      kindOf(inner) === "call" && dottedName(inner?.field("function")) === "pytest.skip" && inner;
    return isSkip ? [{ kind: "skip", how: "pytest.skip()", line: lineOf(inner) } as const] : [];
  });
}

const marksOf = (block: Node): Mark[] => [...moduleMarks(block), ...setupMarks(block)];

/** Names of classes whose tests run because a class that the runner collects inherits them. */
function inheritedBy(root: Node): ReadonlySet<string> {
  const inherited = new Set<string>();
  // A class stands behind those that it inherits from.
  for (const statement of partsOf(root).toReversed()) {
    const node =
      kindOf(statement) === "decorated_definition" ? statement.field("definition") : statement;
    if (kindOf(node) !== "class_definition" || !node) continue;
    const { name, bases } = headOf(node);
    if (!isCollectedName(name, bases) && !inherited.has(name)) continue;
    for (const [base] of bases.matchAll(/\w+/g)) inherited.add(base);
  }
  return inherited;
}

function headOf(node: Node): { readonly name: string; readonly bases: string } {
  const bases = node.field("superclasses")?.text().slice(0, 500) ?? "";
  return { name: node.field("name")?.text() ?? "", bases };
}

function isCollectedName(name: string, bases: string): boolean {
  return /^Test/.test(name) || /TestCase|Tests?\b/.test(bases);
}

class FileWalk {
  readonly tests: TestCase[] = [];
  readonly mocks: string[] = [];
  readonly imports: string[] = [];
  readonly #reading: Reading;
  readonly #inherited: ReadonlySet<string>;
  #helpers: ReadonlySet<string> | undefined;

  constructor(reading: Reading, inherited: ReadonlySet<string>) {
    this.#reading = reading;
    this.#inherited = inherited;
  }

  block(block: Node, around: Around, depth: number): void {
    this.#reading.enter(depth);
    for (const statement of reachedOf(block)) this.#statement(statement, [], around, depth);
  }

  #statement(node: Node, decorators: readonly Node[], around: Around, depth: number): void {
    switch (kindOf(node)) {
      case "decorated_definition": {
        const definition = node.field("definition");
        const own = partsOf(node).filter((one) => kindOf(one) === "decorator");
        const values = own.flatMap((one) => partsOf(one).slice(0, 1));
        if (definition) this.#statement(definition, values, around, depth);
        return;
      }
      case "function_definition":
        this.#function(node, decorators, around);
        return;
      case "class_definition":
        this.#class(node, decorators, around, depth);
        return;
      case "import_statement":
      case "import_from_statement":
        this.imports.push(importedFrom(node));
        return;
      case "if_statement":
      case "try_statement":
      case "else_clause":
      case "elif_clause":
      case "except_clause":
      case "with_statement":
        for (const part of partsOf(node)) {
          if (kindOf(part) === "block") this.block(part, around, depth + 1);
          else this.#statement(part, [], around, depth + 1);
        }
    }
  }

  #class(node: Node, decorators: readonly Node[], around: Around, depth: number): void {
    const body = node.field("body");
    if (!body) return;
    const { name, bases } = headOf(node);
    const isOff = /(?:^|\n)\s*__test__ = False\b/.test(body.text().slice(0, 2_000));
    const isCollected = !isOff && (isCollectedName(name, bases) || this.#inherited.has(name));
    const marks = [...around.marks, ...decorators.flatMap(pythonMarks), ...marksOf(body)];
    const inner = { within: [...around.within, name], marks, isCollected };
    this.block(body, inner, depth + 1);
  }

  #function(node: Node, decorators: readonly Node[], around: Around): void {
    const title = node.field("name")?.text() ?? "";
    const body = node.field("body");
    const isTest = title.startsWith("test") && around.isCollected && body !== null;
    for (const one of decorators) this.#noteMock(one);
    this.tests.push({
      kind: isTest ? "test" : "plain",
      title,
      within: around.within,
      line: lineOf(node),
      text: body ? this.#reading.folded(body) : "",
      runner: "def",
      marks: isTest ? [...around.marks, ...decorators.flatMap(pythonMarks)] : [],
      rows: decorators.flatMap((one) => this.#rows(one)),
      ...retriesOf(decorators),
      body: () => this.#body(body ?? node),
    });
  }

  /** `@patch("package.module.thing")` */
  #noteMock(decorator: Node): void {
    if (kindOf(decorator) !== "call") return;
    const name = dottedName(decorator.field("function"));
    const [first] = partsOf(decorator.field("arguments"));
    if (!/(?:^|\.)patch(?:\.object)?$/.test(name) || !first) return;
    this.mocks.push(
      first
        .text()
        .slice(0, 200)
        .replace(/^["']|["']$/g, ""),
    );
  }

  #rows(decorator: Node): readonly string[] {
    if (kindOf(decorator) !== "call") return [];
    if (!/(?:^|\.)parametrize$/.test(dottedName(decorator.field("function")))) return [];
    return pythonRows(partsOf(decorator.field("arguments"))[1], this.#reading);
  }

  addFile(root: Node): void {
    const statements = partsOf(root).filter((one) =>
      /^(?:assert_statement|expression_statement)$/.test(kindOf(one)),
    );
    const body = (): Body => {
      const bodies = statements.map((one) => this.#body(one));
      const assertions = bodies.flatMap((one) => one.assertions);
      return { assertions, marks: [], calls: new Set(), rows: [] };
    };
    this.tests.push(outsideCase(statements, this.#reading, body));
  }

  #body(node: Node): Body {
    return readBody(node, pythonDialect(this.#reading, this.#known()), this.#reading);
  }

  #known(): ReadonlySet<string> {
    this.#helpers ??= helpersIn(this.tests, /\bassert|\braises\b/);
    return this.#helpers;
  }
}

function retriesOf(decorators: readonly Node[]): { retries?: number } {
  for (const one of decorators) {
    const [, count] =
      /\bflaky\([^)]{0,200}?reruns\s?=\s?(\d{1,6})/.exec(one.text().slice(0, 500)) ?? [];
    if (count !== undefined) return { retries: Number(count) };
  }
  return {};
}

function importedFrom(node: Node): string {
  const from = node.field("module_name") ?? node.field("name");
  return from?.text().slice(0, 300) ?? "";
}
