import * as z from "zod";
import type { Answer } from "./frames.ts";

const Text = z.string().max(20_000);

/** What the process of an assertion says. */
const Said = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("holds"), checks: z.int().min(1) }),
  z.strictObject({ kind: z.literal("fails"), error: Text, why: Text, result: Text }),
  z.strictObject({ kind: z.literal("refused"), why: Text }),
]);

/** What became of an assertion. Only `holds` speaks for it; only `fails` speaks against the result. */
export type PythonWord =
  | { readonly kind: "holds"; readonly checks: number }
  | {
      readonly kind: "fails";
      /** The exception's name; `AssertionError` where the assertion is false. */
      readonly error: string;
      readonly why: string;
      readonly result: string;
    }
  /** The assertion itself says something that is not let in, or could never fail. */
  | { readonly kind: "refused"; readonly why: string }
  /** It was ended: by its time, its memory, a call that is closed to it, or with its server. */
  | {
      readonly kind: "ended";
      readonly by: "time" | "memory" | "call" | "signal" | "output" | "server";
      readonly why: string;
    }
  /** There is nothing here that could run it; it says what to install. */
  | { readonly kind: "unavailable"; readonly why: string };

const SIGNAL = { kill: 9, segv: 11, sys: 31 } as const;
const MEMORY_EXIT = "3";

/** What an answer of the server means. */
export function wordOf({ ending, text }: Answer, wallMs: number): PythonWord {
  switch (ending) {
    case "answered":
      return parsed(text);
    case "late":
      return ended("time", `it took longer than ${wallMs} ms`);
    case "too-long":
      return ended("output", "it said more than fits into an answer");
    case "silent":
      return text === MEMORY_EXIT
        ? ended("memory", "it needed more memory than an assertion may have")
        : ended("signal", `its process ended with ${text} and said nothing`);
    case "signalled":
      return signalled(Number(text));
  }
}

function parsed(text: string): PythonWord {
  try {
    const said = Said.safeParse(JSON.parse(text));
    if (said.success) return said.data;
  } catch {
    // No JSON is no answer, whatever it is.
  }
  return ended("output", "its process ended without an answer");
}

function signalled(signal: number): PythonWord {
  if (signal === SIGNAL.sys) {
    return ended("call", "it asked the system for something that is closed to it");
  }
  if (signal === SIGNAL.kill) return ended("memory", "it was killed, most likely for its memory");
  const what = signal === SIGNAL.segv ? "it crashed the interpreter" : "its process was ended";
  return ended("signal", `${what} (signal ${signal})`);
}

/** Names what ended it. */
export function ended(by: Extract<PythonWord, { kind: "ended" }>["by"], why: string): PythonWord {
  return { kind: "ended", by, why };
}
