/**
 * The HTTP bindings, JSON-RPC and REST, with discovery: serve any agent behind a `Request` and `Response`
 * interface, or call one interface of an agent. Every version of the protocol, web APIs only.
 */

// Serve
export { createFetchHandler } from "./create-fetch-handler.js";
export type { HttpOptions } from "./http-options.js";
export type { Mount } from "../binding/internal.js";

// Serve where there is no `Request` and no `Response`
export { createHttpHandler } from "./create-http-handler.js";
export type { HttpHandler, HttpRequest, HttpResponse } from "./http-message.js";

// Call one interface, without discovery
export { createJsonRpcTransport } from "./jsonrpc/transport.js";
export { createRestTransport } from "./rest/transport.js";
export type { TransportOptions } from "./peer-exchange.js";
