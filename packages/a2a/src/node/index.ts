/**
 * Serving on node: sockets, TLS, draining. Takes node's requests straight to the bindings; everything
 * that is not about sockets belongs to the layers below.
 */
export { createNodeListener } from "./create-node-listener.js";
export type { NodeListener } from "./create-node-listener.js";
export type { ServeGrpcOptions } from "./serve-grpc-options.js";
export { serve } from "./serve.js";
export type { AgentWithAuth, Served } from "./served.js";
export type { ServeOptions, Serving } from "./serve.js";
export type { Timeouts } from "./web-server.js";
