type Handler = (input: string) => void;

const registry = new Map<string, Map<string, Handler>>();

/** Registers a handler below a namespace. */
export function register(namespace: string, name: string, handler: Handler): void {
  let group = registry.get(namespace);
  if (!group) {
    group = new Map();
    registry.set(namespace, group);
  }
  group.set(name, handler);
}

export function lookup(namespace: string, name: string): Handler | undefined {
  return registry.get(namespace)?.get(name);
}
