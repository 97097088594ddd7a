import type { AgentEvent } from "../../schema/agent.ts";
import { countOf, type JsonObject, objectOf } from "../json-value.ts";
import { modelError } from "../model-error.ts";
import { type AcpChild, startAcpChild } from "./acp-child.ts";
import { serveAgent } from "./acp-services.ts";
import { isAuthRequired, openAcpSession, type SessionPlace } from "./acp-session.ts";
import { AcpUpdates } from "./acp-updates.ts";
import { RpcError, RpcPeer } from "./rpc-peer.ts";

const UNREAD_CHARS_MAX = 200;

/** What the driver hands to the program that runs inside. */
export interface AcpSettings extends SessionPlace {
  readonly argv: readonly string[];
  readonly promptFile: string;
  /** How long it may take to say that it is there. */
  readonly greetingMs: number;
  /** How long it may take to stop when it is told to, before it is stopped. */
  readonly cancelMs: number;
  /** How long it may take to end when all is said, before it is asked to, and before it is ended. */
  readonly graceMs: number;
}

/**
 * Has an agent that speaks the Agent Client Protocol do what a prompt says. Only a turn that it says
 * ended well, with words of the model's, is an answer.
 *
 * @returns whether there is one
 */
export async function runAcp(
  settings: AcpSettings,
  prompt: string,
  tell: (event: AgentEvent) => void,
  signal: AbortSignal,
): Promise<boolean> {
  const child = startAcpChild(settings.argv, settings.tree, settings.graceMs);
  try {
    return await talkWith(child, settings, prompt, tell, signal);
  } catch (error) {
    tell(troubleOf(error));
    return false;
  } finally {
    await child.stop();
  }
}

async function talkWith(
  child: AcpChild,
  { tree, tooling, greetingMs, cancelMs }: AcpSettings,
  prompt: string,
  tell: (event: AgentEvent) => void,
  signal: AbortSignal,
): Promise<boolean> {
  const updates = new AcpUpdates();
  let sessionId: string | undefined;
  let isOver = false;
  let unread: string | undefined;
  const tellWhileOpen = (event: AgentEvent): void => {
    if (!isOver) tell(event);
  };
  const peer = new RpcPeer(child.output, child.input, {
    request: (method, params) => serveAgent(tree, method, params, tellWhileOpen),
    notification: (method, params) => {
      const isOurs = sessionId !== undefined && params["sessionId"] === sessionId;
      if (method !== "session/update" || !isOurs) return;
      for (const event of updates.eventsOf(objectOf(params["update"]) ?? {})) {
        tellWhileOpen(event);
      }
    },
    unread: (text) => {
      unread ??= text;
      tellWhileOpen({ kind: "unread", text });
    },
  });
  void child.ended.then((how) => peer.end(`${how} before it answered`));
  const stopCancelling = cancelOn(signal, peer, () => sessionId, cancelMs);
  try {
    sessionId = await openAcpSession(peer, { tree, tooling }, greetingMs).catch(
      (error: unknown) => {
        throw withUnread(error, unread);
      },
    );
    const parts = [{ type: "text", text: prompt }];
    const done = await peer.call("session/prompt", { sessionId, prompt: parts });
    return conclude(done, updates, tell);
  } finally {
    // An answer is the last word; what the agent still sends is about nothing.
    isOver = true;
    stopCancelling();
  }
}

/** Told first, ended after: some agents take no notice while their model is silent. */
function cancelOn(
  signal: AbortSignal,
  peer: RpcPeer,
  session: () => string | undefined,
  cancelMs: number,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  const cancel = (): void => {
    const sessionId = session();
    if (sessionId === undefined) {
      peer.end("it was called off before it began");
      return;
    }
    peer.notify("session/cancel", { sessionId });
    timer = setTimeout(() => peer.end("it was called off, and did not stop"), cancelMs);
  };
  if (signal.aborted) cancel();
  signal.addEventListener("abort", cancel, { once: true });
  return () => {
    clearTimeout(timer);
    signal.removeEventListener("abort", cancel);
  };
}

function conclude(
  done: JsonObject,
  updates: AcpUpdates,
  tell: (event: AgentEvent) => void,
): boolean {
  const usage = objectOf(done["usage"]);
  const inputTokens = countOf(usage?.["inputTokens"]);
  const outputTokens = countOf(usage?.["outputTokens"]);
  if (inputTokens + outputTokens > 0) tell({ kind: "usage", inputTokens, outputTokens });
  if (done["stopReason"] !== "end_turn") {
    throw new RpcError(0, `its turn ended with ${String(done["stopReason"]).slice(0, 100)}`);
  }
  const answer = updates.answer();
  if (answer === undefined) {
    // It said why itself.
    if (updates.hasFailed) return false;
    throw new RpcError(0, "its turn ended without an answer of the model");
  }
  tell(answer);
  return true;
}

/** A program that was started in another mode speaks to people, and what it says tells what is wrong. */
function withUnread(error: unknown, unread: string | undefined): unknown {
  if (unread === undefined || !(error instanceof RpcError)) return error;
  const said = `it printed what is not of the protocol: ${unread.slice(0, UNREAD_CHARS_MAX)}`;
  return new RpcError(error.code, `${error.message}; ${said}`);
}

function troubleOf(error: unknown): AgentEvent {
  const message = error instanceof Error ? error.message : String(error);
  return modelError(message, isAuthRequired(error) ? 401 : undefined);
}
