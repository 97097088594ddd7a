export { admit } from "./admit.ts";
export { controlFacts } from "./control-facts.ts";
export { type AskedMount, factsOfMounts, type Surroundings } from "./mount-facts.ts";
export { type EngineSeat, isSameNode } from "./same-node.ts";
export { homesOf } from "./secret-places.ts";
export { uploadCommandsIn } from "./upload-commands.ts";
export { whyUnusable } from "./waived.ts";
