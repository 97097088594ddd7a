/** One setting of a file in ini form. */
export interface IniSetting {
  /** Empty before the first section. */
  readonly section: string;
  readonly key: string;
  readonly value: string;
}

const LINES_MAX = 10_000;

/**
 * The settings of an ini file, in order. Nothing is looked up or run: values are text. A line that
 * starts with white space continues the value before it, as package managers have it.
 */
export function parseIni(text: string): IniSetting[] {
  const settings: IniSetting[] = [];
  let section = "";
  for (const raw of text.split(/\r?\n/, LINES_MAX)) {
    const line = raw.trim();
    if (line === "" || /^[#;]/.test(line)) continue;
    const heading = /^\[([^\]]*)\]$/.exec(line)?.[1];
    const last = settings.at(-1);
    if (heading !== undefined) section = heading.trim();
    else if (/^\s/.test(raw) && last !== undefined) {
      settings[settings.length - 1] = { ...last, value: `${last.value} ${line}`.trim() };
    } else settings.push({ section, ...readSetting(line) });
  }
  return settings;
}

function readSetting(line: string): { readonly key: string; readonly value: string } {
  const at = line.indexOf("=");
  if (at < 0) return { key: line, value: "true" };
  return { key: line.slice(0, at).trim(), value: unquoted(line.slice(at + 1).trim()) };
}

function unquoted(value: string): string {
  return /^"[^"]*"$|^'[^']*'$/.test(value) ? value.slice(1, -1) : value;
}
