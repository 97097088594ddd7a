export { DockerEngine, type DockerOptions } from "./docker-engine.ts";
