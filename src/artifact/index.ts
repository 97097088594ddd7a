export { ArtifactStore, type StoredArtifact } from "./store.ts";
