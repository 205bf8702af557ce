/**
 * Serving on node: sockets, TLS, draining. Hands node's requests straight to the bindings; everything that does
 * not concern sockets, files or processes belongs to the layers below.
 */
export { createNodeListener } from "./create-node-listener.js";
export type { NodeListener } from "./create-node-listener.js";
export { createPushSender } from "./push/create-push-sender.js";
export type { PushSenderOptions } from "./push/create-push-sender.js";
export { createPushKeys } from "./push/push-keys.js";
export type { PushKeys, SigningKey } from "./push/push-keys.js";
export type { ServePushOptions } from "./push/serve-push-options.js";
export { createStoredPushKeys } from "./push/stored-push-keys.js";
export type { StoredPushKeysOptions } from "./push/stored-push-keys.js";
export type { ConnectionOptions } from "./push/webhook-client.js";
export type { WebhookRules } from "./push/webhook-guard.js";
export type { ServeGrpcOptions } from "./serve-grpc-options.js";
export { serve } from "./serve.js";
export type { AgentsByPath, AgentWithAuth } from "./agent-mounts.js";
export type { ServeOptions, Server } from "./serve.js";
export type { Timeouts } from "./web-server.js";
export { openAuditLog, writeAuditLog } from "./open-audit-log.js";
export type { AuditLogOptions, OpenAuditLog } from "./open-audit-log.js";
export type { SecurityOptions } from "./security.js";
export { trustProxies } from "./trust-proxies.js";
