/** What a command may touch of the process it runs in; tests pass their own. */
export interface Io {
  readonly out: (text: string | Uint8Array) => void;
  readonly err: (text: string) => void;
  readonly input: () => AsyncIterable<Buffer>;
  /** Standard input as a descriptor that a task may have; undefined where a person types. */
  readonly stdin?: number | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly home: string;
  /** Whether a person watches stderr: only then progress is drawn. */
  readonly isTerminal: boolean;
  /** How wide the terminal is that shows stdout; undefined where a file or a program reads it. */
  readonly columns?: number | undefined;
  /** Where a run's socket would be; undefined for the one fixed place. Tests have others. */
  readonly runSocket?: string | undefined;
  /** Aborted on Ctrl-C, on SIGTERM, and when the terminal is closed. */
  readonly signal: AbortSignal;
}

/** What a command that speaks while it works uses: prose goes where it does not disturb the JSON. */
export interface CommandIo extends Io {
  readonly say: (text: string) => void;
  /** Whether stdout is for the JSON document alone. */
  readonly wantsJson: boolean;
}

/** What a command gives back: the exit code, the JSON document, and the same in words. */
export interface Answer {
  readonly exit: 0 | 1 | 2 | 3 | 4;
  /** Set where a command was run for somebody: its own exit code, which is passed on. */
  readonly passed?: number;
  /** Undefined where the document went elsewhere. */
  readonly json: unknown;
  readonly words: string;
  /** What stands on stdout in place of the words: stored bytes, as they are. */
  readonly bytes?: Iterable<Buffer>;
  /** Set where nothing was answered: such words are a complaint, whatever the exit code. */
  readonly isError?: boolean;
  /** Set where the words are what was asked for, whatever the exit code. */
  readonly isAnswered?: boolean;
}

/** How wide a terminal is. One that was never told its size says 0: then nothing may be cut to that. */
export function columnsOf(stream: {
  readonly isTTY?: boolean;
  readonly columns?: number;
}): number | undefined {
  const { isTTY = false, columns = 0 } = stream;
  return isTTY && columns > 0 ? columns : undefined;
}
