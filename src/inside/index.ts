export { checkAnswer, type ToldFinding, type ToldReport } from "./check-answer.ts";
export { harmless } from "./harmless.ts";
export { messageWords } from "./message-words.ts";
export { missingInVote, mitigationOf } from "./mitigation.ts";
export { table } from "./table.ts";
export { askedWords, busWords, factWords, stateWords, toMoment } from "./talk-words.ts";
export { isTalking, RUN_SOCKET } from "./talking.ts";
