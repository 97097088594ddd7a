import type { AgentEvent } from "../../schema/agent.ts";
import { inputOf, type JsonObject, objectOf, objectsOf, textOf } from "../json-value.ts";
import { METHOD_NOT_FOUND, RpcError } from "./rpc-peer.ts";
import { readTreeFile, writeTreeFile } from "./tree-file.ts";

const INVALID_PARAMS = -32_602;

/**
 * What an agent may ask of us: leave, and files of its work tree. Leave is always given, for once: the
 * sandbox is what confines, and each request is told. Terminals are not offered.
 *
 * @throws RpcError
 */
export function serveAgent(
  tree: string,
  method: string,
  params: JsonObject,
  tell: (event: AgentEvent) => void,
): unknown {
  switch (method) {
    case "session/request_permission":
      return permit(params, tell);
    case "fs/read_text_file":
      return refusing(() => ({ content: readPart(tree, params) }));
    case "fs/write_text_file": {
      const name = "fs/write_text_file";
      tell({ kind: "tool", name, input: inputOf({ path: params["path"] }) });
      try {
        const answer = refusing(() => {
          writeTreeFile(tree, params["path"], params["content"]);
          return {};
        });
        tell({ kind: "tool_end", name, failed: false });
        return answer;
      } catch (error) {
        tell({ kind: "tool_end", name, failed: true });
        throw error;
      }
    }
    default:
      throw new RpcError(METHOD_NOT_FOUND, `${method} is not offered`);
  }
}

function permit(params: JsonObject, tell: (event: AgentEvent) => void): unknown {
  const call = objectOf(params["toolCall"]);
  const once = objectsOf(params["options"]).find(({ kind }) => kind === "allow_once");
  const optionId = textOf(once?.["optionId"]);
  tell({
    kind: "tool",
    name: "permission",
    input: inputOf({ title: call?.["title"], input: call?.["rawInput"] }),
  });
  tell({ kind: "tool_end", name: "permission", failed: optionId === undefined });
  // Leave for good, or for more than was asked, is never given.
  if (optionId === undefined) return { outcome: { outcome: "cancelled" } };
  return { outcome: { outcome: "selected", optionId } };
}

function readPart(tree: string, { path, line, limit }: JsonObject): string {
  const text = readTreeFile(tree, path);
  if (typeof line !== "number" && typeof limit !== "number") return text;
  const from = typeof line === "number" ? Math.max(1, Math.floor(line)) : 1;
  const count = typeof limit === "number" ? Math.max(0, Math.floor(limit)) : undefined;
  return text
    .split("\n")
    .slice(from - 1, count === undefined ? undefined : from - 1 + count)
    .join("\n");
}

function refusing<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw new RpcError(INVALID_PARAMS, error instanceof Error ? error.message : String(error));
  }
}
