/**
 * The gRPC binding: `lf.a2a.v1` (1.0) and `a2a.v1` (0.2.2 to 0.3) over any `AgentService`, and an `AgentService`
 * over any such server. The only folder that knows protobuf and `@grpc/grpc-js`, which its users install
 * themselves.
 */
export { grpcTransports } from "./grpc-transports.js";
export type { GrpcTransportsOptions } from "./grpc-transports.js";
export { startGrpcServer } from "./open-grpc-server.js";
export type { GrpcServer } from "./open-grpc-server.js";
export type { GrpcServerOptions } from "./grpc-server-options.js";
export type { GrpcTls } from "./tls.js";
export { createGrpcTransport } from "./transport.js";
export type { GrpcTransport, GrpcTransportOptions } from "./transport.js";
