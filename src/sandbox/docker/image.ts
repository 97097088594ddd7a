import { spawn } from "node:child_process";
import * as z from "zod";
import { messageOf, SwornError } from "../../base/index.ts";
import { EnvironmentDigest } from "../../schema/execution.ts";
import type { EngineClient } from "./engine-client.ts";

const Image = z.object({ Id: z.string() });
const Imported = z.object({ status: z.string().optional(), error: z.string().optional() });

/**
 * Whether an image may be named like this: by the digest of its content and nothing else. A tag can
 * point somewhere else tomorrow, and part of an id can fit two.
 *
 * @throws SwornError `SANDBOX_REFUSED`.
 */
export function assertImageId(reference: string): void {
  if (EnvironmentDigest.safeParse(reference).success) return;
  const found = JSON.stringify(reference.slice(0, 200));
  const message = `the image ${found} is not named by its content; expected sha256: and 64 hexadecimal digits, never a tag`;
  throw new SwornError("SANDBOX_REFUSED", message);
}

/**
 * Whether the engine has an image.
 *
 * @throws SwornError `SANDBOX_REFUSED` when the engine answers with another one.
 */
export async function hasImage(client: EngineClient, id: string): Promise<boolean> {
  assertImageId(id);
  const path = `/images/${encodeURIComponent(id)}/json`;
  const { status, body } = await client.call({ method: "GET", path, expected: [404] });
  if (status === 404) return false;
  const found = Image.safeParse(body).data?.Id;
  if (found !== undefined && withAlgorithm(found) === id) return true;
  throw new SwornError("SANDBOX_REFUSED", `asked for the image ${id}, the engine has ${found}`);
}

/**
 * Takes a folder in as an image, and gives back the id that its content got. The caller has checked
 * the folder before; owners, modes and times go along, so the engine needs no file of the host later.
 *
 * @throws SwornError `SANDBOX_FAILED`.
 */
export async function importFolder(client: EngineClient, folder: string): Promise<string> {
  const order = ["--sort=name", "--numeric-owner", "--format=gnu"];
  const tar = spawn("tar", [...order, "-C", folder, "-cf", "-", "."], {
    stdio: ["ignore", "pipe", "ignore"],
    env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" },
  });
  const packed = new Promise<string | undefined>((resolve) => {
    tar.once("error", (error) => resolve(messageOf(error)));
    tar.once("close", (code) => resolve(code === 0 ? undefined : `tar ended with ${code}`));
  });
  try {
    const query = { fromSrc: "-" };
    const call = { method: "POST", path: "/images/create", query, upload: tar.stdout } as const;
    const { body } = await client.call(call);
    const problem = await packed;
    const { status, error } = Imported.parse(body);
    if (problem !== undefined || error !== undefined || status === undefined) {
      throw new Error(problem ?? error ?? "the engine names no image");
    }
    const id = withAlgorithm(status);
    assertImageId(id);
    return id;
  } catch (cause) {
    const message = `${folder} could not be imported: ${messageOf(cause)}`;
    throw new SwornError("SANDBOX_FAILED", message, { cause });
  } finally {
    tar.kill("SIGKILL");
  }
}

/** Podman leaves the name of the algorithm out. */
export function withAlgorithm(id: string): string {
  return id.includes(":") ? id : `sha256:${id}`;
}
