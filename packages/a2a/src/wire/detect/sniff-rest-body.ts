import { isJsonObject } from "../../protocol/parse/internal.js";
import { hasMember } from "../members/named-member.js";

/**
 * Tells in which of its two spellings a 0.3 REST body is: that of the proto or that of the JSON schema.
 * The first sign decides. Without any sign it is the proto's, which the official libraries send.
 */
export function sniffRestBody(body: unknown): "0.3-proto" | "0.3-schema" {
  // A message under `request` is ProtoJSON of 0.2. A body without a message has no sign at all.
  const message = isJsonObject(body) ? body["message"] : undefined;
  if (!isJsonObject(message) || hasMember(message, "content")) return "0.3-proto";
  const { role, parts } = message;
  if (typeof role === "number") return "0.3-proto";
  if (typeof role === "string" && role.startsWith("ROLE_")) return "0.3-proto";
  if (role === "user" || role === "agent") return "0.3-schema";
  const isKeyed = (part: unknown) =>
    isJsonObject(part) && (hasMember(part, "kind") || hasMember(part, "type"));
  return Array.isArray(parts) && parts.some(isKeyed) ? "0.3-schema" : "0.3-proto";
}
