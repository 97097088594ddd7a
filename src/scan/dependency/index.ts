export { type DependencyReading, dependency, notChecked } from "./dependency.ts";
