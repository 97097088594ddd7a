import { sidecarPathOf } from "../../scan/classify/index.ts";
import type { Entry } from "../../schema/index.ts";
import type { Place } from "../place.ts";
import { readArtifactText } from "../talk/artifact-text.ts";

/** What an entry carries beside one of its artifacts about who may see it. */
export function artifactSidecars(place: Place, { artifacts }: Entry, hash: string): Uint8Array[] {
  const names = artifacts.flatMap((one) => (one.hash === hash ? (one.name ?? []) : []));
  const beside = artifacts.filter(({ name }) =>
    names.some((own) => name !== undefined && name === sidecarPathOf(own)),
  );
  return beside.map((one) => Buffer.from(readArtifactText(place, one.hash)));
}
