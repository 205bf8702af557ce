import { randomUUID } from "node:crypto";
import { A2AError } from "../../protocol/internal.js";
import { TooSoon } from "./new-receivers.js";
import type { PushHeaders } from "./push-headers.js";
import type { WebhookClient } from "./webhook-client.js";

const challengeMs = 10_000;

/**
 * Asks a receiver whether it wants the notifications: it has to repeat the token of `GET ?validationToken=…`. Does
 * not tell why it failed: the caller who registers the webhook must not learn what is behind its URL. Throws
 * `RESOURCE_EXHAUSTED` when a receiver that has never answered was asked too often.
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
    const { status, body, accept } = await client.call({
      method: "GET",
      url: asked,
      headers: { ...headers, Accept: "text/plain" },
      signal: AbortSignal.timeout(challengeMs),
      maxAnswerBytes: 2 * token.length,
    });
    const isWanted = status === 200 && new TextDecoder().decode(body).trim() === token;
    if (isWanted) accept();
    return isWanted;
  } catch (error) {
    if (error instanceof TooSoon) throw tooMany(error);
    return false;
  }
}

function tooMany({ retryAfterMs }: TooSoon): A2AError {
  const message =
    "url: too many webhooks are registered at this host, which has answered none yet; try again later";
  return new A2AError("RESOURCE_EXHAUSTED", message, {
    details: { retryAfterSeconds: retryAfterMs / 1000 },
  });
}
