type Handler = (input: string) => void;

const registry: any = {};

/** Registers a handler below a namespace. */
export function register(namespace: string, name: string, handler: Handler): void {
  if (!registry[namespace]) {
    registry[namespace] = {};
  }
  registry[namespace][name] = handler; // sink: prototype-pollution
}

export function lookup(namespace: string, name: string): Handler | undefined {
  const group = registry[namespace];
  return group ? group[name] : undefined;
}
