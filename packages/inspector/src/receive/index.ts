/** A webhook for push notifications: serving it, reading what comes, passing it on. Shared with the command line. */

export { forward, forwardedText } from "./forward.js";
export type { Forwarded } from "./forward.js";
export { createReader, summaryOf } from "./notification.js";
export type { Delivered, Notification, ReaderOptions } from "./notification.js";
export { openWebhook } from "./open-webhook.js";
export type { Webhook, WebhookPlace } from "./open-webhook.js";
