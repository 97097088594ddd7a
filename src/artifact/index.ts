export { ArtifactStore } from "./store.ts";
