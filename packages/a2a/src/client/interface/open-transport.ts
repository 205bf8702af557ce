import type { AgentService } from "../../protocol/internal.js";
import { createJsonRpcTransport } from "../../http/internal.js";
import type { TransportOptions } from "../../http/internal.js";
import { pick } from "../pick.js";
import type { ChosenInterface } from "./choose-interface.js";

/** The bindings for which the client has its own transports. */
export const ownBindings: readonly string[] = ["JSONRPC", "HTTP+JSON"];

/** Opens a transport for the chosen interface. All transports but JSON-RPC in 1.0 are loaded on demand. */
export async function openTransport(
  chosen: ChosenInterface,
  given: Omit<TransportOptions, "url" | "dialect">,
): Promise<AgentService> {
  const options = { ...given, ...pick(chosen, "url", "tenant") };
  if (chosen.protocolBinding === "JSONRPC" && chosen.protocolVersion === "1.0") {
    return createJsonRpcTransport({ ...options, dialect: "1.0" });
  }
  const { createOtherTransport } = await import("../lazy.js");
  return createOtherTransport(chosen, options);
}
