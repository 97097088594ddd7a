import { StringDecoder } from "node:string_decoder";
import { SwornError } from "../base/index.ts";
import type { AgentEvent } from "../schema/agent.ts";
import type { AgentPlaces, ConfigOf, ProgramDriver, ProgramFound, StreamReader } from "./driver.ts";
import { anthropicBase, openAiBase, PLACEHOLDER_KEY } from "./model-endpoint.ts";

/** Linux takes no longer argument than this, its closing zero included. */
const ARGUMENT_BYTES_MAX = 131_071;
const ANSWER_CHARS_MAX = 256 << 10;

/** Any program as an agent: it gets the prompt, and the end of what it prints is its answer. */
export function commandDriver(config: ConfigOf<"command">, found: ProgramFound): ProgramDriver {
  return {
    programFolders: found.folders,
    command: (prompt, places) => {
      const given = config.argv.slice(1);
      const words = given.map((word) => filled(word, prompt, places));
      const isInWords = given.some((word) => /\{prompt(?:_file)?\}/.test(word));
      const file = !isInWords && config.prompt === "file" ? [places.promptFile] : [];
      return {
        argv: [...found.argv, ...words, ...file],
        stdin: !isInWords && config.prompt === "stdin" ? prompt : undefined,
        env: modelEnv(config, places.endpoint),
        home: {},
      };
    },
    reader: () => new TextReader(),
  };
}

/** What most programs look at to find their model; a variable of the user's own gets a placeholder. */
export function modelEnv(
  config: Pick<ConfigOf<"command">, "key_env">,
  endpoint: string | undefined,
): Record<string, string> {
  return {
    ...(endpoint === undefined
      ? {}
      : {
          OPENAI_BASE_URL: openAiBase(endpoint),
          OPENAI_API_KEY: PLACEHOLDER_KEY,
          ANTHROPIC_BASE_URL: anthropicBase(endpoint),
          ANTHROPIC_API_KEY: PLACEHOLDER_KEY,
        }),
    ...(config.key_env === undefined ? {} : { [config.key_env]: PLACEHOLDER_KEY }),
  };
}

/** One pass, with a function: neither the prompt's braces nor its dollar signs mean anything. */
function filled(word: string, prompt: string, places: AgentPlaces): string {
  // A prompt that is a whole argument must not be taken for an option.
  const whole = word === "{prompt}" && prompt.startsWith("-") ? `\n${prompt}` : prompt;
  const argument = word.replace(/\{prompt(_file)?\}/g, (_, isFile: string | undefined) =>
    isFile === undefined ? whole : places.promptFile,
  );
  if (argument.includes("\0")) {
    throw new SwornError(
      "INPUT_INVALID",
      "the prompt has a NUL character, which no argument can have; use {prompt_file}",
    );
  }
  const bytes = Buffer.byteLength(argument);
  if (bytes > ARGUMENT_BYTES_MAX) {
    throw new SwornError(
      "LIMIT_EXCEEDED",
      `an argument with the prompt has ${bytes} bytes, expected at most ${ARGUMENT_BYTES_MAX}; use {prompt_file}`,
    );
  }
  return argument;
}

/** Takes everything as text. The end is kept for the answer, because conclusions come last. */
class TextReader implements StreamReader {
  readonly echoBytes = 0;
  readonly tellsTools = false;
  readonly #decoder = new StringDecoder("utf8");
  #tail = "";
  #chars = 0;

  take(chunk: Buffer): AgentEvent[] {
    return this.#told(this.#decoder.write(chunk));
  }

  end(): AgentEvent[] {
    const events = this.#told(this.#decoder.end());
    if (this.#tail.trim() === "") return events;
    const kept = this.#tail.slice(-ANSWER_CHARS_MAX).toWellFormed();
    const missing = this.#chars - kept.length;
    const text = missing > 0 ? `(${missing} characters before) …${kept}` : kept;
    return [...events, { kind: "answer", text }];
  }

  #told(text: string): AgentEvent[] {
    if (text === "") return [];
    this.#chars += text.length;
    this.#tail += text;
    // Cut now and then, not each time: the cost stays in proportion to what comes.
    if (this.#tail.length > 4 * ANSWER_CHARS_MAX) this.#tail = this.#tail.slice(-ANSWER_CHARS_MAX);
    return [{ kind: "text", text }];
  }
}
