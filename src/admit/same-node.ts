/** How an engine is reached, and what places its tasks. */
export interface EngineSeat {
  /** The engine's address: a unix socket, or `process` where it runs as our own child. */
  readonly endpoint: string;
  /** Set where a cluster places the task: the node we are on, and what the placement is held to. */
  readonly service?: { readonly node: string; readonly constraints: readonly string[] };
}

/**
 * Whether a task runs on the machine that asks for it. An address of a network says nothing about
 * where it ends, so only local sockets count; a cluster must be held to this very node.
 */
export function isSameNode({ endpoint, service }: EngineSeat): boolean {
  const isLocal = endpoint === "process" || /^(unix:\/\/)?\/(?!\/)/.test(endpoint);
  if (service === undefined) return isLocal;
  const wanted = `node.hostname==${service.node}`;
  const isHeld = service.constraints.some((one) => one.replaceAll(" ", "") === wanted);
  return isLocal && service.node !== "" && isHeld;
}
