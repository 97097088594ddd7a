/** What starts a service, and where it listens. */
export interface StartCommand {
  readonly argv: readonly string[];
  readonly port?: number;
}

const STARTED = /\bstart(?:s|ed|ing)?\b[^`\n]{0,80}`(?<command>[^`\n]{1,500})`/iu;
const PORT = /\bport\s{1,3}(?<port>\d{1,5})\b/iu;
const WORDS_MAX = 100;

/** How to write it, for messages. */
export const START_EXAMPLE = "start it with `npm start` on port 8080";

/**
 * Finds what starts a service in an instruction: "start it with `npm start` on port 8080". Words of a
 * shell are refused, because nothing here is ever handed to one.
 */
export function findStartCommand(instruction: string): StartCommand | string {
  const command = STARTED.exec(instruction)?.groups?.["command"];
  if (command === undefined) return `nothing says what starts the service: ${START_EXAMPLE}`;
  const argv = toArgv(command);
  if (argv === undefined) {
    return `\`${command}\` needs a shell: name one program with its arguments, and put the rest into a script`;
  }
  const port = PORT.exec(instruction)?.groups?.["port"];
  return { argv, ...(port === undefined ? {} : { port: Number(port) }) };
}

function toArgv(command: string): string[] | undefined {
  const words = command.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)?.slice(0, WORDS_MAX) ?? [];
  const isPlain = words.every((word) => !/[|&;<>$(){}*?!\\]/.test(word.replaceAll(/'[^']*'/g, "")));
  const [first] = words;
  if (!isPlain || first === undefined || /^[A-Za-z_]\w*=/.test(first)) return undefined;
  return words.map((word) => word.replaceAll(/"([^"]*)"|'([^']*)'/g, "$1$2"));
}
