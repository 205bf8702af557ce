import { randomUUID } from "node:crypto";
import type { PushHeaders } from "./push-headers.js";
import type { WebhookClient } from "./webhook-client.js";

const challengeMs = 10_000;

/**
 * Whether a receiver wants what is sent to it: it repeats a word that it is asked for by
 * `GET ?validationToken=…`. How it failed to is nobody's business but its own.
 */
export async function challengeReceiver(
  client: WebhookClient,
  url: URL,
  headers: PushHeaders,
): Promise<boolean> {
  const word = randomUUID();
  const asked = new URL(url);
  asked.searchParams.set("validationToken", word);
  try {
    const { status, body } = await client.call({
      method: "GET",
      url: asked,
      headers: { ...headers, Accept: "text/plain" },
      signal: AbortSignal.timeout(challengeMs),
      maxAnswerBytes: 2 * word.length,
    });
    return status === 200 && new TextDecoder().decode(body).trim() === word;
  } catch {
    return false;
  }
}
