import type { AgentInterface } from "../protocol/internal.js";
import { createGrpcTransport } from "./transport.js";
import type { GrpcTransport, GrpcTransportOptions } from "./transport.js";

/** What an interface of a card does not say of how to reach it. */
export type GrpcTransportsOptions = Omit<
  GrpcTransportOptions,
  "address" | "bareAddress" | "version" | "tenant"
>;

/**
 * gRPC for a client, which does not bring it along. An address without a scheme is spoken to over TLS when
 * the card came from an `https:` URL, in plaintext when it came from another; `cardUrl` is where the card came from.
 *
 * @example
 * const agent = await connect(url, { transports: grpcTransports() });
 */
export function grpcTransports(options: GrpcTransportsOptions = {}): {
  readonly GRPC: (
    chosen: AgentInterface,
    source?: { readonly cardUrl?: string | undefined },
  ) => GrpcTransport;
} {
  return {
    GRPC: ({ url, protocolVersion, tenant }, { cardUrl } = {}) =>
      createGrpcTransport({
        ...options,
        address: url,
        // 0.2 and 0.3 have one service between them.
        version: protocolVersion.startsWith("0.") ? "0.3" : "1.0",
        ...(tenant !== undefined && { tenant }),
        ...(cardUrl !== undefined && {
          bareAddress: /^https:/i.test(cardUrl) ? "tls" : "plaintext",
        }),
      }),
  };
}
