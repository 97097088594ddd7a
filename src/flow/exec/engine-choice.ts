import { BwrapEngine, type Engine } from "../../sandbox/index.ts";
import type { ExecRequest } from "./exec.ts";

/** The engine that was asked for; none is chosen by what happens to be there. */
export async function openEngine(
  { engine, env }: Pick<ExecRequest, "engine" | "env">,
  state: string,
): Promise<Engine> {
  if (engine === "bwrap") return new BwrapEngine();
  // Loaded when it is asked for: the client of the Engine API is of no use to anybody else.
  const { DockerEngine } = await import("../../sandbox/docker/index.ts");
  return new DockerEngine({ host: env["DOCKER_HOST"], state });
}
