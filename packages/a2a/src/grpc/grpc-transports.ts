import type { AgentInterface } from "../protocol/index.js";
import { createGrpcTransport } from "./transport.js";
import type { GrpcTransport, GrpcTransportOptions } from "./transport.js";

/** What an interface of a card does not say of how to reach it. */
export type GrpcTransportsOptions = Omit<GrpcTransportOptions, "address" | "version" | "tenant">;

/**
 * gRPC for a client, which does not bring it along.
 *
 * @example
 * const agent = await connect(url, { transports: grpcTransports() });
 */
export function grpcTransports(options: GrpcTransportsOptions = {}): {
  readonly GRPC: (chosen: AgentInterface) => GrpcTransport;
} {
  return {
    GRPC: ({ url, protocolVersion, tenant }) =>
      createGrpcTransport({
        ...options,
        address: url,
        // 0.2 and 0.3 have one service between them.
        version: protocolVersion.startsWith("0.") ? "0.3" : "1.0",
        ...(tenant !== undefined && { tenant }),
      }),
  };
}
