import type { Rate } from "../../auth/internal.js";
import type { TraceContext } from "../../protocol/internal.js";
import { parseUrl } from "../../protocol/parse/internal.js";
import type { PushNotification, PushOutcome, PushSender } from "../../server/internal.js";
import { codecs, encodePush, versionOf } from "../../wire/internal.js";
import type { Dialect } from "../../wire/internal.js";
import { challengeReceiver } from "./challenge-receiver.js";
import { checkHeaders, configuredHeaders, invalid } from "./push-headers.js";
import type { PushKeys } from "./push-keys.js";
import { NewReceivers, newReceiverRate } from "./new-receivers.js";
import { outcomeOf, outcomeOfError } from "./push-outcome.js";
import { RefusedWebhook } from "./refused-webhook.js";
import { signNotification } from "./sign-notification.js";
import { openWebhookClient } from "./webhook-client.js";
import type { ConnectionOptions } from "./webhook-client.js";
import { createWebhookGuard } from "./webhook-guard.js";
import type { WebhookRules } from "./webhook-guard.js";

/** How a sender signs notifications, and which webhooks it calls. */
export interface PushSenderOptions extends WebhookRules, ConnectionOptions {
  /** Keys that sign every notification; unsigned when absent. */
  readonly keys?: PushKeys;
  /**
   * The URL at which receivers find the public keys, such as `https://example.com/agents/travel/.well-known/jwks.json`.
   * Every notification names it. A function if the URL is known only later; until then notifications do not name it.
   */
  readonly keysUrl?: string | (() => string | undefined);
  /** Whether to ask a receiver if it wants the notifications before a configuration is accepted. */
  readonly challenge?: boolean;
  /**
   * How fast a host is called that has never answered 2xx, so that nobody can flood it by registering webhooks.
   * Eight requests at once and one a second from then on when absent.
   */
  readonly newReceivers?: Rate;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** Sends notifications over HTTP to the webhooks that the rules allow, each in the dialect of its registration. */
export function createPushSender(options: PushSenderOptions = {}): PushSender {
  return createSharingSender(options, openNewReceivers(options));
}

/** What the senders of a server share: one host is one host for all its agents. */
export function openNewReceivers(options: PushSenderOptions): NewReceivers {
  const { newReceivers: rate = newReceiverRate, now = Date.now } = options;
  return new NewReceivers(rate, now);
}

/** A sender that counts requests together with others. */
export function createSharingSender(
  options: PushSenderOptions,
  receivers: NewReceivers,
): PushSender {
  const { keys, challenge = false, now = Date.now } = options;
  const { keysUrl: given } = options;
  if (typeof given === "string") checkKeysUrl(given);
  const keysUrlNow = typeof given === "function" ? given : (): string | undefined => given;
  const guard = createWebhookGuard(options);
  const client = openWebhookClient(guard, receivers, options);

  async function send(notification: PushNotification, signal: AbortSignal): Promise<PushOutcome> {
    const { id, sequence, config, trace } = notification;
    const dialect = dialectOf(notification);
    const payload = await encodePush(dialect, notification.event, () => notification.task());
    const body = Buffer.from(JSON.stringify(payload.body));
    const signing = await keys?.signingKey();
    const keysUrl = signing && keysUrlNow();
    const signature =
      signing && (await signNotification(notification, body, { signing, keysUrl, now: now() }));
    const headers = {
      ...configuredHeaders(config, signature),
      "Content-Type": payload.contentType,
      "Content-Length": body.byteLength,
      "User-Agent": "Parley",
      "A2A-Version": versionOf(dialect),
      ...(trace !== undefined && traceHeaders(trace)),
      "X-A2A-Notification-Id": id,
      "X-A2A-Notification-Sequence": String(sequence),
      ...(signature !== undefined && { "X-A2A-Notification-Signature": signature }),
      ...(keysUrl !== undefined && { "X-A2A-Notification-Keys": keysUrl }),
    };
    try {
      const url = guard.check(config.url);
      const answer = await client.call({ method: "POST", url, headers, body, signal });
      const outcome = outcomeOf(answer, now());
      if (outcome.kind === "arrived") answer.accept();
      return outcome;
    } catch (error) {
      return outcomeOfError(error);
    }
  }

  return {
    async admit(config) {
      checkHeaders(config);
      const url = checkUrl(config.url);
      if (challenge && !(await challengeReceiver(client, url, configuredHeaders(config)))) {
        throw invalid("url", "the receiver did not answer the validation challenge");
      }
    },
    send,
    async close() {
      client.close();
    },
  };

  function checkUrl(text: string): URL {
    try {
      return guard.check(text);
    } catch (error) {
      if (!(error instanceof RefusedWebhook)) throw error;
      throw invalid("url", `this webhook is not allowed: ${error.message}`);
    }
  }
}

function traceHeaders({ traceparent, tracestate }: TraceContext): Record<string, string> {
  return { traceparent, ...(tracestate !== undefined && { tracestate }) };
}

function checkKeysUrl(text: string): void {
  if (/^https?:$/.test(parseUrl(text)?.protocol ?? "")) return;
  const example = "https://agents.example.com/travel/.well-known/jwks.json";
  const found = `createPushSender: keysUrl is ${JSON.stringify(text)}`;
  throw new Error(`${found}; expected a URL such as ${example}`);
}

/** A configuration has an unknown dialect if a later version of this library, over the same store, wrote it. */
function dialectOf({ dialect }: PushNotification): Dialect {
  return Object.hasOwn(codecs, dialect) ? (dialect as Dialect) : "1.0";
}
