import type { ProtocolVersion } from "../../protocol/internal.js";

/** The media type of requests and responses in a version. */
export function mediaTypeOf(version: ProtocolVersion): string {
  return version === "1.0" ? "application/a2a+json" : "application/json";
}
