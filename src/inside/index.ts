export { checkAnswer, type ToldFinding, type ToldReport } from "./check-answer.ts";
export { harmless } from "./harmless.ts";
export { table } from "./table.ts";
export { isTalking, RUN_SOCKET } from "./talking.ts";
