export { ambiguityOf } from "./ambiguity.ts";
