import { shown } from "./weakened-test.ts";

/** Commands that succeed whatever the tests do. */
const NOTHING = /^(?:true|:|exit 0|echo\b[^&|;]*|node -e ["']{0,2})$/;
const FORGIVING = /(?:\|\||;)\s{0,4}(?:true|:|exit 0|echo\b)|\bset \+e\b/;
/** Options of runners that leave tests out, or let none count as success. */
const LEAVING_OUT =
  /(?:^|\s)(--passWithNoTests|--pass-with-no-tests|--exclude|--testPathIgnorePatterns|--testNamePattern|--test-skip-pattern|--test-name-pattern|--ignore-glob|--ignore|--deselect|--grep|--invert|--fgrep|--onlyChanged|--changed|--shard|--dangerouslyIgnoreUnhandledErrors|--exit-zero|--allowOnly|--updateSnapshot|--update-snapshots|--snapshot-update|--update|-u|-t|-k|-m|-g|-i)(?=[\s=]|$)/g;
const CHECKING =
  /(?:^|\s)(--coverage|--cov-fail-under|--check-coverage|--strict-markers|--forbid-only|--ci|-W|--typecheck)(?=[\s=]|$)/g;
const COMMAND_CHARS_MAX = 5_000;

/** Why a command that runs tests now does less than before; undefined where nothing says so. */
export function commandLoss(before: string, after: string | undefined): string | undefined {
  if (after === undefined) return `\`${shown(before)}\` before, nothing now`;
  const [old, now] = [before, after].map((one) => one.slice(0, COMMAND_CHARS_MAX).trim()) as [
    string,
    string,
  ];
  const words = `\`${shown(old)}\` before, \`${shown(now)}\` now`;
  if (NOTHING.test(now) && !NOTHING.test(old)) return `${words}: it runs nothing`;
  if (FORGIVING.test(now) && !FORGIVING.test(old)) return `${words}: a failure does not count`;
  const added = optionsIn(now, LEAVING_OUT).filter((one) => !old.includes(one));
  if (added.length > 0) return `${words}: ${added.join(" ")} was added`;
  const dropped = optionsIn(old, CHECKING).filter((one) => !now.includes(one));
  return dropped.length > 0 ? `${words}: ${dropped.join(" ")} was taken out` : undefined;
}

/** Options with the word that follows them, so that another value counts as another option. */
function optionsIn(command: string, pattern: RegExp): string[] {
  return [...command.matchAll(pattern)].map((match) => {
    const rest = command.slice(match.index).trimStart();
    const [whole = ""] = /^\S{1,60}(?:[ =]\S{1,200})?/.exec(rest) ?? [];
    return whole;
  });
}
