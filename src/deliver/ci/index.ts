export { renderCiMarkdown } from "./ci-markdown.ts";
export { renderCiWords } from "./ci-words.ts";
