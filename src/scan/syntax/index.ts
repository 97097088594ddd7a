export {
  isReadable,
  LANGUAGES_READ,
  type Language,
  type Node,
  parseSource,
} from "./parse-source.ts";
