import type { AgentService } from "../../protocol/internal.js";
import { createJsonRpcTransport, createRestTransport } from "../../http/internal.js";
import type { TransportOptions } from "../../http/internal.js";
import type { ChosenInterface } from "./choose-interface.js";
import { fallBack } from "./fall-back.js";

/** Creates the transports that are loaded on demand: JSON-RPC before 1.0, and REST of all versions. */
export function createOtherTransport(
  { protocolBinding, protocolVersion }: ChosenInterface,
  options: Omit<TransportOptions, "dialect">,
): AgentService {
  if (protocolBinding !== "JSONRPC") {
    // 0.1 has no REST; a card that offers it means the REST of the next version.
    const dialect = protocolVersion === "1.0" ? "1.0" : "0.3-proto";
    return createRestTransport({ ...options, dialect });
  }
  if (protocolVersion !== "0.2") {
    return createJsonRpcTransport({ ...options, dialect: protocolVersion });
  }
  return fallBack(
    createJsonRpcTransport({ ...options, dialect: "0.3" }),
    createJsonRpcTransport({ ...options, dialect: "0.1" }),
  );
}
