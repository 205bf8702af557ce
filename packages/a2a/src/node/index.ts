/**
 * Server on node: `serve` opens the store, the runtime and the sockets of all bindings. The parts are here for
 * programs that have a server of their own.
 */

// Serve
export { serve } from "./serve.js";
export type { ServeOptions } from "./serve-options.js";
export type { Server } from "./serve.js";

// Open a store and a bus by their places
export { openStore } from "./engines/open-store.js";
export type { OpenStoreOptions } from "./engines/open-store.js";
export { openBus } from "./engines/open-bus.js";
export type { OpenBusOptions } from "./engines/open-bus.js";

// Look at a server from beside it
export type {
  InspectedAgent,
  InspectedServer,
  OpenedInspector,
  ServerInspector,
} from "./server-inspector.js";

export { createNodeListener } from "./create-node-listener.js";
export type { NodeListener } from "./create-node-listener.js";
export { trustProxies } from "./trust-proxies.js";

// See what a server does
export { createLog } from "./log/create-log.js";
export type { LogOptions } from "./log/create-log.js";
export type { MetricsOptions } from "./metrics/metrics-options.js";

// Write an audit log
export { openAuditLog, writeAuditLog } from "./open-audit-log.js";
export type { OpenAuditLog } from "./open-audit-log.js";

// Send push notifications
export { createPushSender } from "./push/create-push-sender.js";
export type { PushSenderOptions } from "./push/create-push-sender.js";
export { createPushKeys } from "./push/push-keys.js";
export { createStoredPushKeys } from "./push/stored-push-keys.js";
export type { PushKeys } from "./push/push-keys.js";
