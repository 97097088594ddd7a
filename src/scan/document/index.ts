export { type DocumentReading, documents } from "./document.ts";
