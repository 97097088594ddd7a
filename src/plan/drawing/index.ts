export { drawMermaid } from "./draw-mermaid.ts";
export { drawSvg } from "./draw-svg.ts";
export { drawText } from "./draw-text.ts";
export { criticalPath, type Drawn, layersOf } from "./layers.ts";
export { someNames } from "./some-names.ts";
