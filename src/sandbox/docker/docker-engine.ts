import * as z from "zod";
import { messageOf } from "../../base/index.ts";
import type { Engine, EngineRefusal, HostOwner, Prepared, Task } from "../engine.ts";
import { isOwnerGone } from "../run-owner.ts";
import { LABELS, TASK_UID } from "./container-spec.ts";
import { engineSocket } from "./engine-address.ts";
import { EngineClient } from "./engine-client.ts";
import {
  askFacts,
  type ConnectedEngine,
  connectEngine,
  negotiate,
  refusalsOf,
} from "./engine-facts.ts";
import { findImage } from "./environment-image.ts";
import { prepareContainer } from "./prepare-container.ts";
import { clearRunFolders, makeRunFolder } from "./run-folder.ts";
import { containerPath, removeContainer } from "./running-container.ts";

/** How the engine is found, and where we keep what belongs to it. */
export interface DockerOptions {
  /** What `DOCKER_HOST` says. */
  readonly host?: string | undefined;
  /** The user's state folder. */
  readonly state: string;
}

const Listed = z.array(
  z.object({ Id: z.string(), Labels: z.record(z.string(), z.string()).nullish() }),
);
/** Runs tasks with Docker's engine, or podman's service, through its socket on this machine. */
export class DockerEngine implements Engine {
  readonly name = "docker";
  /** The engine runs tasks as this very user of the host, whoever asks it to. */
  readonly owner: HostOwner | undefined =
    process.getuid?.() === TASK_UID ? undefined : { uid: TASK_UID, gid: TASK_UID };
  readonly #options: DockerOptions;
  #connected: Promise<ConnectedEngine> | undefined;

  constructor(options: DockerOptions) {
    this.#options = options;
  }

  async examine(): Promise<readonly EngineRefusal[]> {
    const socket = engineSocket(this.#options.host);
    if (typeof socket !== "string") return [socket];
    const client = new EngineClient(socket);
    try {
      await negotiate(client);
      return refusalsOf(await askFacts(client));
    } catch (error) {
      return [{ control: "engine", reason: messageOf(error) }];
    } finally {
      client.close();
    }
  }

  async prepare(task: Task): Promise<Prepared> {
    const { client, engine, kind } = await this.#connect();
    const { state } = this.#options;
    const image = await findImage(client, task.root, { engine, state });
    const folder = makeRunFolder(state);
    try {
      const { prepared, end } = await prepareContainer(client, {
        task,
        image,
        kind,
        folder: folder.path,
      });
      end.then(folder.remove, folder.remove);
      return prepared;
    } catch (error) {
      folder.remove();
      throw error;
    }
  }

  /** Removes containers whose maker is gone; says how many there were. */
  async reap(): Promise<number> {
    clearRunFolders(this.#options.state);
    const { client } = await this.#connect();
    const filters = JSON.stringify({ label: [LABELS.owner] });
    const query = { all: "1", filters };
    const { body } = await client.call({ method: "GET", path: "/containers/json", query });
    const left = Listed.parse(body).filter(({ Labels }) =>
      isOwnerGone(Labels?.[LABELS.owner] ?? "unknown"),
    );
    for (const { Id } of left) await removeContainer(client, containerPath(Id));
    return left.length;
  }

  /** @throws SwornError `SANDBOX_REFUSED` when the engine cannot enforce everything. */
  #connect(): Promise<ConnectedEngine> {
    this.#connected ??= connectEngine(this.#options.host).catch((error: unknown) => {
      // The engine may be started or put right in the meantime.
      this.#connected = undefined;
      throw error;
    });
    return this.#connected;
  }
}
