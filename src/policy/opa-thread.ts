import { parentPort, workerData } from "node:worker_threads";
import { messageOf } from "../base/index.ts";
import type { OpaReply, OpaSetup } from "./opa-policy.ts";

/** Where a policy with several entry points says whether it allows. */
const ENTRYPOINT = "sworn/allow";
const ANSWER_CHARS_MAX = 65_536;
/** 8 MiB to begin with: a module with much data in it does not load into less than it declares. */
const MEMORY_PAGES = 128;

// What a policy prints would stand in the middle of a command's output.
Object.assign(console, { log: () => {}, error: () => {} });

type Loaded = Awaited<ReturnType<typeof import("@open-policy-agent/opa-wasm")["loadPolicy"]>>;
let loaded: Promise<Loaded> | undefined;

parentPort?.on("message", (input: string) => {
  void replyTo(input).then((reply) => parentPort?.postMessage(reply));
});

async function replyTo(input: string): Promise<OpaReply> {
  try {
    loaded ??= load(workerData as OpaSetup);
    const policy = await loaded;
    const result = policy.evaluate(JSON.parse(input), entrypointOf(policy.entrypoints));
    if (JSON.stringify(result).length > ANSWER_CHARS_MAX)
      return { failed: "its answer is too long" };
    return { result };
  } catch (error) {
    // The library throws plain strings and objects too.
    return { failed: typeof error === "string" ? error : messageOf(error) };
  }
}

async function load({ bytes, memoryPagesMax }: OpaSetup): Promise<Loaded> {
  const { loadPolicy } = await import("@open-policy-agent/opa-wasm");
  return loadPolicy(new Uint8Array(bytes), { initial: MEMORY_PAGES, maximum: memoryPagesMax });
}

function entrypointOf(entrypoints: unknown): string {
  const names = Object.keys(entrypoints as object);
  const [only] = names;
  if (names.length === 1 && only !== undefined) return only;
  if (names.includes(ENTRYPOINT)) return ENTRYPOINT;
  throw new Error(`it has the entry points ${names.join(", ")}; expected one, or ${ENTRYPOINT}`);
}
