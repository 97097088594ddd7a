export { DockerEngine, type DockerOptions } from "./docker-engine.ts";
export { DEFAULT_SOCKET } from "./engine-address.ts";
