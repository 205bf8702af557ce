import type { GrpcBounds } from "../binding/internal.js";
import { defaultLimits } from "../protocol/internal.js";
import type { Limits } from "../protocol/internal.js";
import type { MessageBytesLimits } from "./http2/message-bytes.js";

export const defaultBounds: Required<GrpcBounds> = {
  requestMs: 60_000,
  maxConnections: 1000,
  maxConcurrentStreams: 200,
  maxElements: 100_000,
  maxEarlyBytes: 32 * 1024 * 1024,
  maxBytesInFlight: 128 * 1024 * 1024,
  maxBytesInFlightPerConnection: 32 * 1024 * 1024,
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
