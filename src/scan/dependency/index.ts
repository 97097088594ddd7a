export { type DependencyReading, dependency } from "./dependency.ts";
