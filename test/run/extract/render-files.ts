/** A file as a test wants it to come back. */
export interface Rendered {
  readonly path: string;
  readonly content: string;
}

export const RENDER_FORMS = [
  "backticks",
  "backticks, in a list",
  "backticks, with tildes",
  "info, path=",
  "info, language:name",
  "info, name alone",
  "comment",
  "header, fenced",
  "header, raw",
  "heredoc",
  "heredoc, tabs dropped",
  "indented",
] as const;
export type RenderForm = (typeof RENDER_FORMS)[number];

const NO_NEWLINE = "\\ No newline at end of file\n";

/** The lines of a file as they stand in a block; a missing line end is said. */
function lines(content: string): string {
  return content === "" || content.endsWith("\n") ? content : `${content}\n${NO_NEWLINE}`;
}

/** A fence that nothing in the text can end. */
function fenceFor(text: string, char: "`" | "~"): string {
  const runs = text.match(char === "`" ? /`+/g : /~+/g) ?? [];
  return char.repeat(Math.max(2, ...runs.map((run) => run.length)) + 1);
}

function fenced(content: string, info = "", char: "`" | "~" = "`"): string {
  const text = lines(content);
  const fence = fenceFor(text, char);
  return `${fence}${info}\n${text}${fence}\n`;
}

function indented(text: string, by: string): string {
  return text.replace(/[^\n]*\n/g, (line) => (line === "\n" ? line : by + line));
}

/** A name in backticks, more of them than it holds. */
function inBackticks(path: string): string {
  const ticks = "`".repeat(Math.max(0, ...(path.match(/`+/g) ?? []).map((run) => run.length)) + 1);
  return ticks.length === 1 ? `\`${path}\`` : `${ticks} ${path} ${ticks}`;
}

function heredoc(path: string, text: string, operator: "<<" | "<<-"): string {
  let mark = "EOF";
  while (text.split(/\r?\n/).some((line) => line.replace(/^\t+/, "") === mark)) mark += "_";
  const quote = path.includes("'") ? '"' : "'";
  return fenced(`cat > ${quote}${path}${quote} ${operator}'${mark}'\n${text}${mark}\n`, "sh");
}

/** One file in one form, as a model would write it. */
export function renderFile({ path, content }: Rendered, form: RenderForm): string {
  const quote = path.includes('"') ? "'" : '"';
  switch (form) {
    case "backticks":
      return `Create file ${inBackticks(path)}:\n\n${fenced(content, "ts")}`;
    case "backticks, in a list":
      return `1. Update file ${inBackticks(path)}:\n\n${indented(fenced(content, "ts"), "   ")}`;
    case "backticks, with tildes":
      return `The file ${inBackticks(path)} should have the following content:\n${fenced(content, "", "~")}`;
    case "info, path=":
      return fenced(content, `ts path=${quote}${path}${quote}`, path.includes("`") ? "~" : "`");
    case "info, language:name":
      return fenced(content, `ts:${path}`);
    case "info, name alone":
      return fenced(content, path);
    case "comment":
      return fenced(`// ${path.includes(" ") ? "file: " : ""}${path}\n${content}`, "ts");
    case "header, fenced":
      return `--- filename: ${path} ---\n\n${fenced(content)}`;
    case "header, raw":
      return `--- filename: ${path} ---\n${lines(content)}--- end ---\n`;
    case "heredoc":
      return heredoc(path, content, "<<");
    case "heredoc, tabs dropped":
      return heredoc(path, content.replace(/(^|\n)(?=[^\n])/g, "$1\t\t"), "<<-");
    case "indented":
      return `File named ${inBackticks(path)} with this code:\n\n${indented(content, "    ")}\nThat is it.\n`;
  }
}

/** Files in one response, with words between them. */
export function renderFiles(files: readonly (Rendered & { readonly form: RenderForm })[]): string {
  const parts = files.map((file) => `Here comes another one.\n\n${renderFile(file, file.form)}\n`);
  return `I made what you asked for.\n\n${parts.join("")}Tell me how it goes.\n`;
}
