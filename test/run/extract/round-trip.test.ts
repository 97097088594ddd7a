import fc from "fast-check";
import { expect, test } from "vitest";
import { extractFiles } from "../../../src/run/extract/index.ts";
import "../../seeded-properties.ts";
import { RENDER_FORMS, type Rendered, type RenderForm, renderFiles } from "./render-files.ts";

/** Lines that a careless reader takes for the end of a file, for its name or for another file. */
const NASTY = [
  "",
  "```",
  "```ts",
  "   ```",
  "````",
  "~~~",
  "~~~~ sh",
  "--- end ---",
  "--- src/other.ts ---",
  "---",
  "EOF",
  "EOF_",
  "cat > elsewhere.txt <<'EOF'",
  "Create file `src/elsewhere.ts`:",
  "\ttab",
  "    four spaces",
  "  ",
  "\t",
  "windows\r",
  "\r",
  "a\rb",
  "# src/other.py",
  "<!--",
  "-->",
  "> ```",
  "- ```ts",
  "\\",
  "$HOME `id` \\n",
  "const a = { ...b };",
  "Zeilenende ü 漢字 🙂",
  "\uFEFF",
  "\u2028",
  "part 1 of 2",
  "add this to the file",
];
const line = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...NASTY) },
  {
    weight: 1,
    arbitrary: fc
      .string({ unit: "binary", maxLength: 12 })
      .map((text) => text.replace(/\n|\.{3}|…/g, " ")),
  },
);
const content = fc
  .tuple(fc.array(line, { maxLength: 12 }), fc.boolean())
  .map(([lines, isEnded]) => lines.join("\n") + (isEnded && lines.length > 0 ? "\n" : ""));

const anyName = fc
  .array(fc.constantFrom(..."abcXYZ019-_+@#&!()[],='é漢ß 🙂"), { minLength: 1, maxLength: 8 })
  .map((chars) => `${chars.join("").trim()}x.ts`);
const plainName = fc
  .array(fc.constantFrom(..."abcXYZ019-_+@é漢"), { minLength: 1, maxLength: 8 })
  .map((chars) => `${chars.join("")}.ts`);

const FIRST_NAMES_FILE = /^\s*(?:\/\/|#|--|;|%|!|'|"|<!--|\.\.|::)/;

/** What a form cannot hold at all; each of these is a sentence in the guide. */
const CANNOT: Partial<Record<RenderForm, (text: string) => boolean>> = {
  // Refused on purpose: two names. A test of its own shows it.
  backticks: (text) => FIRST_NAMES_FILE.test(text),
  "backticks, in a list": (text) => FIRST_NAMES_FILE.test(text),
  "backticks, with tildes": (text) => FIRST_NAMES_FILE.test(text),
  "header, raw": (text) => /^ *(?:```|~~~)|^--- .* ---[ \t]*\r?$/m.test(text),
  heredoc: (text) => text !== "" && !text.endsWith("\n"),
  "heredoc, tabs dropped": (text) => (text !== "" && !text.endsWith("\n")) || /(^|\n)\t/.test(text),
  indented: (text) =>
    !/^[^\n]*\S/.test(text) ||
    !/[^\s][^\n]*\n$/.test(text) ||
    FIRST_NAMES_FILE.test(text) ||
    /^\s*(?:```|~~~|>|-)/.test(text) ||
    /(?:^|\n)[^\S\n]*\n$/.test(text),
};
const SAYS_NO_NEWLINE = /(?:^|\n)\\ No newline at end of file\r?\n?$/;
const PLAIN_ONLY: readonly RenderForm[] = ["info, language:name", "info, name alone", "comment"];

const rendered = fc.constantFrom(...RENDER_FORMS).chain((form) => {
  const isWrong = CANNOT[form] ?? (() => false);
  return fc.record({
    form: fc.constant(form),
    path: PLAIN_ONLY.includes(form) ? plainName : anyName,
    content: content.filter((text) => !isWrong(text) && !SAYS_NO_NEWLINE.test(text)),
  });
});

/** Names that differ even where case does not count. */
function apart<T extends Rendered>(files: readonly T[]): T[] {
  return files.map((file, at) => ({ ...file, path: `d${at}/${file.path}` }));
}

test("whatever is rendered in any form comes back byte for byte", () => {
  fc.assert(
    fc.property(fc.array(rendered, { minLength: 1, maxLength: 6 }), (some) => {
      const files = apart(some);
      const { files: found, refused } = extractFiles(renderFiles(files));
      expect(refused).toEqual([]);
      expect(found.map(({ path, content: text }) => ({ path, text }))).toEqual(
        files.map(({ path, content: text }) => ({ path, text })),
      );
    }),
    { numRuns: 600 },
  );
});

test("each form is tried, and comes back under its own name", () => {
  for (const form of RENDER_FORMS) {
    const file = { path: "src/a.ts", content: "export const a = 1;\n", form };
    const { files, refused } = extractFiles(renderFiles([file]));
    expect([form, refused]).toEqual([form, []]);
    expect(files).toMatchObject([{ path: file.path, content: file.content, bytes: 20 }]);
    expect(form).toMatch(
      new RegExp(`^${files[0]?.form === "indented" ? "indented" : files[0]?.form}`),
    );
  }
});

test("a response with Windows line ends gives files with Windows line ends", () => {
  fc.assert(
    fc.property(rendered, (some) => {
      const [file] = apart([some]);
      if (file === undefined || /\r/.test(file.content)) return;
      const text = renderFiles([file]).replaceAll("\n", "\r\n");
      const { files, refused } = extractFiles(text);
      expect(refused).toEqual([]);
      expect(files[0]?.content).toBe(file.content.replaceAll("\n", "\r\n"));
    }),
    { numRuns: 200 },
  );
});

test("no text at all makes it throw, leave the project, or read one thing twice", () => {
  const soup = fc
    .array(
      fc.oneof(
        fc.constantFrom(...NASTY, "`../a.ts`:", "```ts path=/etc/x", "`a.ts`:"),
        fc.string(),
      ),
      {
        maxLength: 30,
      },
    )
    .map((lines) => lines.join("\n"));
  fc.assert(
    fc.property(soup, (text) => {
      const { files, refused } = extractFiles(text);
      const taken = files.map(({ lines }) => lines);
      for (const [at, [from, to]] of taken.entries()) {
        expect(from).toBeLessThanOrEqual(to);
        expect(from).toBeGreaterThan(taken[at - 1]?.[1] ?? 0);
      }
      expect(files.length + refused.length).toBeGreaterThan(0);
      expect(files.filter(({ path }) => /^\/|\.\.|\\|\0/.test(path))).toEqual([]);
    }),
    { numRuns: 400 },
  );
});
