import type { AgentService, ProtocolVersion } from "../../protocol/internal.js";
import type { Dialect } from "../../wire/internal.js";
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
    return createRestTransport({ ...options, dialect: restDialects[protocolVersion] });
  }
  const transport = createJsonRpcTransport({ ...options, dialect: rpcDialects[protocolVersion] });
  return protocolVersion === "0.2"
    ? fallBack(transport, createJsonRpcTransport({ ...options, dialect: "0.1" }))
    : transport;
}

const rpcDialects: Readonly<Record<ProtocolVersion, Dialect>> = {
  "0.1": "0.1",
  "0.2": "0.3",
  "0.3": "0.3",
  "1.0": "1.0",
};

/** 0.1 has no REST; a card that offers it means the REST of the next version. */
const restDialects: Readonly<Record<ProtocolVersion, Dialect>> = {
  "0.1": "0.3-proto",
  "0.2": "0.3-proto",
  "0.3": "0.3-proto",
  "1.0": "1.0",
};
