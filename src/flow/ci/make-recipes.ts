const TARGETS_MAX = 500;
const LINE_CHARS_MAX = 10_000;
const EXPANDED_MAX = 20;
const RULE = /^([^\s:=#][^:=#]{0,1000}?)\s?::?(?!=)([^=]{0,2000})$/;
const SETTING = /^(?:export\s)?([\w.-]{1,100})\s?(?::{0,3}|\?)=(.*)$/;

interface Rule {
  readonly needs: string[];
  readonly recipe: string[];
}

/**
 * The lines of a Makefile that are run for some targets and for what they need, with its own settings put in;
 * undefined where it has none of these targets. Roughly, and without running anything: what it leaves open is
 * still there as `$(X)`.
 */
export function recipesOf(text: string, targets: readonly string[]): Iterable<string> | undefined {
  const { rules, settings } = rulesIn(text);
  const wanted = new Set(targets.filter((one) => rules.has(one)));
  if (wanted.size === 0) return undefined;
  // What is added to a set while it is gone through is gone through as well.
  for (const name of wanted) {
    const needs = (rules.get(name)?.needs ?? []).flatMap((one) =>
      expand(one, settings).split(/\s+/),
    );
    for (const need of needs.filter((one) => rules.has(one)).slice(0, TARGETS_MAX)) {
      if (wanted.size < TARGETS_MAX) wanted.add(need);
    }
  }
  return expanded(
    [...wanted].flatMap((name) => rules.get(name)?.recipe ?? []),
    settings,
  );
}

/** One by one: whoever has seen enough of them stops. */
function* expanded(lines: readonly string[], settings: ReadonlyMap<string, string>) {
  for (const line of lines) yield expand(line, settings);
}

function rulesIn(text: string): {
  readonly rules: ReadonlyMap<string, Rule>;
  readonly settings: ReadonlyMap<string, string>;
} {
  const rules = new Map<string, Rule>();
  const settings = new Map([["MAKE", "make"]]);
  let open: Rule[] = [];
  for (const raw of text.replace(/\\\r?\n/g, " ").split(/\r?\n/)) {
    const line = raw.slice(0, LINE_CHARS_MAX);
    if (line.startsWith("\t")) {
      for (const rule of open) rule.recipe.push(line.trim().replace(/^[@+-]+\s?/, ""));
      continue;
    }
    const [, name, value = ""] = SETTING.exec(line.trim()) ?? [];
    if (name !== undefined) settings.set(name, value.trim());
    const [, names = "", rest = ""] = RULE.exec(line.trimEnd()) ?? [];
    if (names === "") continue;
    const [needs = "", first] = rest.split(";", 2);
    open = names.split(/\s+/).map((one) => {
      const rule = rules.get(one) ?? { needs: [], recipe: [] };
      rule.needs.push(needs);
      if (first !== undefined) rule.recipe.push(first.trim());
      rules.set(one, rule);
      return rule;
    });
  }
  return { rules, settings };
}

function expand(line: string, settings: ReadonlyMap<string, string>): string {
  let text = line;
  for (let times = 0; times < EXPANDED_MAX; times += 1) {
    // Settings can hold each other many times: what comes of them is bounded while it is made.
    let room = LINE_CHARS_MAX - text.length;
    const next = text.replace(/\$[({]([\w.-]{1,100})[)}]/g, (whole, name: string) => {
      const value = settings.get(name);
      if (value === undefined || value.length - whole.length > room) return whole;
      room -= value.length - whole.length;
      return value;
    });
    if (next === text) break;
    text = next;
  }
  return text.replaceAll("$$", "$");
}
