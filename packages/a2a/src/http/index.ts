/**
 * The HTTP bindings: JSON-RPC, REST and discovery over any `AgentService`, in every version. Uses web APIs
 * only; sockets belong to the runtimes that adapt to it.
 */
export { createFetchHandler } from "./create-fetch-handler.js";
export { createHttpHandler } from "./create-http-handler.js";
export type { MountableAgent } from "../protocol/internal.js";
export type { Mount } from "../binding/internal.js";
export type { CorsOptions, HttpOptions } from "./http-options.js";
export type {
  HttpHandler,
  HttpHeaders,
  HttpRequest,
  HttpResponse,
  StreamedResponse,
  WholeResponse,
} from "./http-message.js";
export { createJsonRpcTransport } from "./jsonrpc/transport.js";
export { createRestTransport } from "./rest/transport.js";
export { unreachable, withText } from "../binding/internal.js";
export { withRetryAfter } from "./peer-exchange.js";
export type { Fetch, TransportOptions } from "./transport-options.js";
