export { PythonPool, type PythonPoolOptions } from "./python-pool.ts";
export type { PythonWord } from "./python-word.ts";
