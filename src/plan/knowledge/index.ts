export { checkOutputOrder, type OrderOptions } from "./output-order.ts";
export { ANSWER_FORM, STANDING_END, STANDING_RULES } from "./standing-rules.ts";
