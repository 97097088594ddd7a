export { correctness } from "./correctness.ts";
