import type { AgentInterface } from "../protocol/internal.js";
import { createGrpcTransport } from "./transport.js";
import type { GrpcTransport, GrpcTransportOptions } from "./transport.js";

/** The options of a transport that do not follow from the interface in the card. */
export type GrpcTransportsOptions = Omit<
  GrpcTransportOptions,
  "address" | "bareAddress" | "version" | "tenant"
>;

/**
 * Adds gRPC to a client, which does not include it. An address without a scheme is called over TLS if the card
 * came from an `https:` URL, and in plaintext if it came from another.
 *
 * @example
 * const agent = await connect(url, { transports: grpcTransports() });
 */
export function grpcTransports(options: GrpcTransportsOptions = {}): {
  readonly GRPC: (
    chosen: AgentInterface,
    source?: {
      readonly cardUrl?: string | undefined;
      readonly maxAnswerBytes?: number;
      readonly maxEventBytes?: number;
      readonly fileBytes?: "raw" | "base64";
    },
  ) => GrpcTransport;
} {
  return {
    GRPC: ({ url, protocolVersion, tenant }, { cardUrl, ...limits } = {}) =>
      createGrpcTransport({
        ...limits,
        ...options,
        address: url,
        // 0.2 and 0.3 share one service.
        version: protocolVersion.startsWith("0.") ? "0.3" : "1.0",
        ...(tenant !== undefined && { tenant }),
        ...(cardUrl !== undefined && {
          bareAddress: /^https:/i.test(cardUrl) ? "tls" : "plaintext",
        }),
      }),
  };
}
