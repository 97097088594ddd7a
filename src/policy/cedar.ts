import { setFlagsFromString } from "node:v8";

/** The functions of Cedar, as its package has them. */
export type Cedar = typeof import("@cedar-policy/cedar-wasm/nodejs");

/** A schema as it is written, or as Cedar writes it in JSON. */
export type CedarSchema = Parameters<Cedar["preparseSchema"]>[1];

let loaded: Promise<Cedar> | undefined;

/** Cedar is four megabytes of machine code: loaded when the first policy is, and never for less. */
export function loadCedar(): Promise<Cedar> {
  if (loaded === undefined) {
    compileLess();
    loaded = import("@cedar-policy/cedar-wasm/nodejs");
  }
  return loaded;
}

/**
 * Node 20 compiles every function when it loads such code, and again in a second quality in the
 * background after very few calls, which for the few decisions of a command costs more than it ever
 * gives back. Later versions compile what is called, and wait much longer by themselves.
 */
function compileLess(): void {
  if (!process.versions.node.startsWith("20.")) return;
  setFlagsFromString("--wasm-lazy-compilation");
  setFlagsFromString("--wasm-tiering-budget=50000000");
}
