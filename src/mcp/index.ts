export type { McpOffer, McpTool } from "./offer.ts";
export { McpPeer } from "./peer.ts";
export type { ReadableScope } from "./resources.ts";
export { type HttpEndpoint, serveHttp } from "./serve-http.ts";
export { serveStdio } from "./serve-stdio.ts";
export { verbOffer } from "./verb-offer.ts";
