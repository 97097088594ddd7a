export { renderCiMarkdown } from "./ci-markdown.ts";
export { renderCiSarif } from "./ci-sarif.ts";
export { renderCiWords } from "./ci-words.ts";
