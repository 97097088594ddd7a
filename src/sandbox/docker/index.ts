export { DockerEngine, type DockerOptions } from "./docker-engine.ts";
export { DEFAULT_SOCKET, engineSocket } from "./engine-address.ts";
export { assertImageId } from "./image.ts";
