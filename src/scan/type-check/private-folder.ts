import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ownedBy } from "../../base/index.ts";
import type { SourceFile } from "../reviewer.ts";

const SEGMENT_BYTES_MAX = 200;
const PATH_BYTES_MAX = 800;

/** What stands in for everything that is not in the tree; each missing thing may be anything. */
const AMBIENT = `declare module "*";
interface ImportMeta { [name: string]: any }
interface ErrorConstructor { captureStackTrace: any; stackTraceLimit: any; prepareStackTrace: any }
declare namespace JSX {
  type Element = any;
  type ElementType = any;
  interface ElementChildrenAttribute { children: {} }
  interface IntrinsicAttributes { key?: any; ref?: any; slot?: any }
  interface IntrinsicElements { [name: string]: any }
}
`;

/**
 * A private folder that holds a tree's files for one run of the compiler. Files can only be written
 * below its `tree`; our own ones stand outside of that, where no path of the tree reaches.
 */
export class PrivateFolder {
  readonly path: string;
  readonly #written: string[] = [];

  constructor() {
    // Made with mode 0700: nobody else may read it, or put something into it.
    this.path = realpathSync(mkdtempSync(join(tmpdir(), `sworn-types-${ownedBy()}`)));
  }

  /** Writes a file as given; says why where its path cannot be one here. */
  write({ path, text }: SourceFile): string | undefined {
    const why = unsafe(path);
    if (why !== undefined) return why;
    const target = join(this.path, "tree", path);
    try {
      mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
      // Never over another file: on some disks two names of a tree are one.
      writeFileSync(target, text, { flag: "wx", mode: 0o600 });
    } catch (error) {
      return `its path cannot be used on this disk: ${(error as NodeJS.ErrnoException).code}`;
    }
    this.#written.push(`tree/${path}`);
    return undefined;
  }

  /** Writes what the compiler is told, with names that are declared to be anything. */
  configure(options: Readonly<Record<string, unknown>>, missing: readonly string[]): void {
    const names = missing.map((name) => `declare var ${name}: any;\n`).join("");
    writeFileSync(join(this.path, "ambient.d.ts"), AMBIENT + names, { mode: 0o600 });
    const config = { compilerOptions: options, files: ["ambient.d.ts", ...this.#written] };
    writeFileSync(join(this.path, "tsconfig.json"), JSON.stringify(config), { mode: 0o600 });
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

function unsafe(path: string): string | undefined {
  const segments = path.split("/");
  const isOdd = segments.some(
    (one) =>
      one === "" ||
      one === "." ||
      one === ".." ||
      /[\\:\0]/.test(one) ||
      Buffer.byteLength(one) > SEGMENT_BYTES_MAX,
  );
  return isOdd || Buffer.byteLength(path) > PATH_BYTES_MAX
    ? "its path cannot be written safely"
    : undefined;
}
