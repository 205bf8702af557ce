import { operations } from "../../protocol/internal.js";
import type { ProtocolOperation } from "../../protocol/internal.js";
import type { JsonRpcMethodAliases } from "../codec.js";

/** The JSON-RPC methods of 1.0 (§5.3): the operations with a capital letter. */
export const methods: Readonly<Record<ProtocolOperation, string>> = Object.fromEntries(
  operations.map((name) => [name, name[0]?.toUpperCase() + name.slice(1)]),
) as Record<ProtocolOperation, string>;

/** The name in the release candidate of 1.0. */
export const methodAliases: JsonRpcMethodAliases = {
  ListTaskPushNotificationConfig: "listTaskPushNotificationConfigs",
};
