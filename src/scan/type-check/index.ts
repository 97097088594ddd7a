export { typeChecker, types } from "./type-check.ts";
