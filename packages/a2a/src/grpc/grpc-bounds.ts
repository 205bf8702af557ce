import { atLeast, timerMs } from "../options/internal.js";
import type { Rules } from "../options/internal.js";
import { defaultLimits } from "../protocol/internal.js";
import type { Limits } from "../protocol/internal.js";
import type { MessageBytesLimits } from "./http2/message-bytes.js";

/** What callers may make a gRPC server hold. */
export interface GrpcBounds {
  /** How long a message may take to arrive; 60 s when absent. */
  readonly requestMs?: number;
  /** How many connections the server takes; 2,000 when absent. Further ones are closed at once. */
  readonly maxConnections?: number;
  /** How many calls one connection may have at a time, streams included; 1,000 when absent. Further ones wait. */
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

export const defaultBounds: Required<GrpcBounds> = {
  requestMs: 60_000,
  maxConnections: 2000,
  maxConcurrentStreams: 1000,
  maxElements: 100_000,
  maxEarlyBytes: 32 * 1024 * 1024,
  maxBytesInFlight: 128 * 1024 * 1024,
  maxBytesInFlightPerConnection: 32 * 1024 * 1024,
};

export const boundRules: Rules<GrpcBounds> = {
  requestMs: timerMs(1),
  maxConnections: atLeast(1),
  maxConcurrentStreams: atLeast(1),
  maxElements: atLeast(1),
  maxEarlyBytes: atLeast(1),
  maxBytesInFlight: atLeast(1),
  maxBytesInFlightPerConnection: atLeast(1),
};

/** How many bytes of messages the server holds: always enough for one message, with what it is decompressed to. */
export function messageBytesOf(
  { maxEarlyBytes, maxBytesInFlight, maxBytesInFlightPerConnection }: Required<GrpcBounds>,
  { maxBodyBytes }: Limits = defaultLimits,
): MessageBytesLimits {
  const least = 2 * maxBodyBytes + 1024;
  return {
    early: maxEarlyBytes,
    reserved: Math.max(maxBytesInFlight, least),
    reservedPerConnection: Math.max(maxBytesInFlightPerConnection, least),
  };
}
