export { table } from "../inside/index.ts";
