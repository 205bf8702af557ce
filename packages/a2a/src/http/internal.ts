/**
 * The HTTP bindings: JSON-RPC, REST and discovery over any `AgentService`, in every version. Uses web APIs
 * only; sockets belong to the runtimes that adapt to it.
 */
export { ArrivingBody, BodyPool, tooLarge } from "./body/body-pool.js";
export { answerWith } from "./create-fetch-handler.js";
export { handleHttp } from "./create-http-handler.js";
export { keySetUrlAt } from "./key-set.js";
export type { HttpOptions } from "./http-options.js";
export { httpRules } from "./http-rules.js";
export type {
  HttpHandler,
  HttpHeaders,
  HttpRequest,
  PieceIterator,
  StreamedResponse,
  WholeResponse,
} from "./http-message.js";
export { createJsonRpcTransport } from "./jsonrpc/transport.js";
export { createRestTransport } from "./rest/transport.js";
export { withRetryAfter } from "./peer-exchange.js";
export type { AnswerLimits, Fetch, TransportOptions } from "./peer-exchange.js";
export { headerFields } from "./header-fields.js";
export type { HeaderFields } from "./header-fields.js";
export { readText } from "./read-text.js";
