export * from "./acp-driver.ts";
export * from "./cli-driver.ts";
export { commandDriver } from "./command.ts";
export * from "./driver.ts";
export * from "./find-program.ts";
export * from "./model-driver.ts";
export { PLACEHOLDER_KEY } from "./model-endpoint.ts";
export { type ModelService, modelServiceOf } from "./model-service.ts";
export { type OpenedDriver, openDriver } from "./open-driver.ts";
