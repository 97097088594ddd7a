export { type DuplicateReading, duplicate } from "./duplicate.ts";
