import * as z from "zod";
import { buildNamedEnvironment } from "../../flow/environment/environment-build.ts";
import { openPlace, packageProxy } from "../config.ts";
import type { Answer, Io } from "../io.ts";
import { progress } from "../progress.ts";

export const Arguments = z.strictObject({ name: z.string().min(1) });

export async function run({ name }: z.infer<typeof Arguments>, io: Io): Promise<Answer> {
  const shown = progress(io, "building");
  let step = "";
  // A step that takes long says nothing of its own, so the last one is shown again.
  const timer = setInterval(() => shown.show(() => `building ${name}: ${step}`), 500);
  try {
    const environment = await buildNamedEnvironment(openPlace(io), name, {
      signal: io.signal,
      proxy: packageProxy(io),
      onStep: (next) => {
        step = next;
        shown.show(() => `building ${name}: ${step}`);
      },
    });
    const { digest, built_at, packages } = environment;
    const words = `${name} is built from ${packages.length} packages\n${digest}`;
    return { exit: 0, json: { name, digest, built_at, packages }, words };
  } finally {
    clearInterval(timer);
    shown.end();
  }
}
