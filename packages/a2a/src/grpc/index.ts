/**
 * The gRPC binding, in 1.0 and 0.3. This entry needs `@grpc/grpc-js` and `protobufjs`, which you install beside
 * this package.
 */

// Serve
export { openGrpcServer } from "./open-grpc-server.js";
export type { GrpcServer } from "./open-grpc-server.js";
export type { GrpcServerOptions } from "./grpc-server-options.js";

// Call
export { grpcTransports } from "./grpc-transports.js";
export { createGrpcTransport } from "./transport.js";
export type { GrpcTransport, GrpcTransportOptions } from "./transport.js";
export type { WireCall, WireCallObserver, WireMessage, WireObserver } from "./wire-observer.js";
