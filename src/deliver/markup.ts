import { visibleText, WRITTEN_OUT } from "./visible-text.ts";

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** HTML that we wrote. A plain string never becomes one except through `html`, which escapes it. */
export class Markup {
  readonly text: string;

  private constructor(text: string) {
    this.text = text;
  }

  /** For text of our own that is no markup, such as a style sheet; never for anything from a report. */
  static ours(text: string): Markup {
    return new Markup(text);
  }
}

type Value = string | number | Markup | readonly Markup[];

/** A template for HTML: what is put in is escaped, unless it is markup already. */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Markup {
  const pieces = strings.map((literal, index) => {
    const value = values[index];
    return value === undefined ? literal : literal + written(value);
  });
  return Markup.ours(pieces.join(""));
}

function written(value: Value): string {
  if (value instanceof Markup) return value.text;
  if (typeof value === "object") return value.map(({ text }) => text).join("");
  return escaped(String(value));
}

/** Safe between tags and between quotes of an attribute, with nothing hidden left in it. */
function escaped(text: string): string {
  return visibleText(text).replace(/[&<>"']/g, (mark) => ENTITIES[mark] ?? "");
}

/** Text in which what was hidden stands out. */
export function shown(text: string): Markup {
  const visible = visibleText(text);
  const hidden = visible.match(WRITTEN_OUT) ?? [];
  const parts = visible.split(WRITTEN_OUT).map((part, index) => {
    const code = hidden[index];
    return code === undefined ? html`${part}` : html`${part}<span class="hid">${code}</span>`;
  });
  return html`${parts}`;
}
