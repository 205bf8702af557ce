import { atLeast, timerMs } from "../options/internal.js";
import type { Rules } from "../options/internal.js";

/** What callers may make a gRPC server hold. It is here, and not with gRPC, for servers that have not installed gRPC. */
export interface GrpcBounds {
  /** How long a message may take to arrive; 60 s when absent. */
  readonly requestMs?: number;
  /** How many connections the server takes; 1,000 when absent. Further ones are closed at once. */
  readonly maxConnections?: number;
  /** How many calls one connection may have at a time, streams included; 200 when absent. Further ones wait. */
  readonly maxConcurrentStreams?: number;
  /** How many parts, list items, map entries and other elements one message may have; 100,000 when absent. */
  readonly maxElements?: number;
  /**
   * Bytes of all calls whose callers are not known yet, or whose messages wait to be read; 32 MiB when absent. Beyond it,
   * the connection that holds most loses its oldest call.
   */
  readonly maxEarlyBytes?: number;
  /** Bytes of all messages of more than 16 KiB that are being read; 128 MiB when absent. Further ones wait. */
  readonly maxBytesInFlight?: number;
  /** The part of `maxBytesInFlight` that one connection may have; 32 MiB when absent. */
  readonly maxBytesInFlightPerConnection?: number;
}

export const grpcBoundRules: Rules<GrpcBounds> = {
  requestMs: timerMs(1),
  maxConnections: atLeast(1),
  maxConcurrentStreams: atLeast(1),
  maxElements: atLeast(1),
  maxEarlyBytes: atLeast(1),
  maxBytesInFlight: atLeast(1),
  maxBytesInFlightPerConnection: atLeast(1),
};
