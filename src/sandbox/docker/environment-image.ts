import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  ensureFolder,
  readPlainFile,
  SwornError,
  sha256Hex,
  writeFileDurably,
} from "../../base/index.ts";
import type { RootFiles } from "../engine.ts";
import type { EngineClient } from "./engine-client.ts";
import { assertImageId, hasImage, importFolder } from "./image.ts";

const ID_BYTES_MAX = 200;

/**
 * The image for a task's root, by id. A folder is imported once into each engine; the id it got is
 * kept in the user's own state, because a name or a label in the engine could be put on anything.
 *
 * @throws SwornError `SANDBOX_REFUSED` for a tag, an unknown image and the machine's own programs.
 */
export async function findImage(
  client: EngineClient,
  root: RootFiles,
  { engine, state }: { readonly engine: string; readonly state: string },
): Promise<string> {
  if (root.kind === "host") {
    const message = "docker runs images, not the machine's own programs; name an environment";
    throw new SwornError("SANDBOX_REFUSED", `${message}, or use bwrap`);
  }
  if (root.kind === "image") {
    if (await hasImage(client, root.id)) return root.id;
    throw new SwornError("SANDBOX_REFUSED", `the engine has no image ${root.id}; import it first`);
  }
  assertImageId(root.digest);
  const folder = join(state, "docker", "images");
  const path = join(folder, sha256Hex(`${engine}\n${root.digest}`));
  const known = existsSync(path) ? readPlainFile(path, ID_BYTES_MAX).toString().trim() : undefined;
  if (known !== undefined && (await hasImage(client, known))) return known;
  const id = await importFolder(client, root.path);
  ensureFolder(folder, 0o700);
  writeFileDurably(path, `${id}\n`, 0o600);
  return id;
}
