/**
 * The gRPC binding: `lf.a2a.v1` (1.0) and `a2a.v1` (0.2.2 to 0.3) over any `AgentService`, and an
 * `AgentService` over any such server. The only entry that knows protobuf or `@grpc/grpc-js`, which
 * whoever imports it has to install.
 */

// Serve
export { openGrpcServer } from "./open-grpc-server.js";
export type { GrpcServer, GrpcServerOptions } from "./open-grpc-server.js";

// Call
export { grpcTransports } from "./grpc-transports.js";
export { createGrpcTransport } from "./transport.js";
export type { GrpcTransport, GrpcTransportOptions } from "./transport.js";
