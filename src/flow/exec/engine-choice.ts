import { BwrapEngine, DockerEngine, type Engine } from "../../sandbox/index.ts";
import type { ExecRequest } from "./exec.ts";

/** The engine that was asked for; none is chosen by what happens to be there. */
export function openEngine(
  { engine, env }: Pick<ExecRequest, "engine" | "env">,
  state: string,
): Engine {
  return engine === "bwrap"
    ? new BwrapEngine()
    : new DockerEngine({ host: env["DOCKER_HOST"], state });
}
