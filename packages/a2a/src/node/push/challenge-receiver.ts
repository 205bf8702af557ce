import { randomUUID } from "node:crypto";
import type { PushHeaders } from "./push-headers.js";
import type { WebhookClient } from "./webhook-client.js";

const challengeMs = 10_000;

/**
 * Asks a receiver whether it wants the notifications: it has to repeat the token of `GET ?validationToken=…`. Does
 * not tell why it failed: the caller who registers the webhook must not learn what is behind its URL.
 */
export async function challengeReceiver(
  client: WebhookClient,
  url: URL,
  headers: PushHeaders,
): Promise<boolean> {
  const token = randomUUID();
  const asked = new URL(url);
  asked.searchParams.set("validationToken", token);
  try {
    const { status, body } = await client.call({
      method: "GET",
      url: asked,
      headers: { ...headers, Accept: "text/plain" },
      signal: AbortSignal.timeout(challengeMs),
      maxAnswerBytes: 2 * token.length,
    });
    return status === 200 && new TextDecoder().decode(body).trim() === token;
  } catch {
    return false;
  }
}
