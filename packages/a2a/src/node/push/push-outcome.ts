import type { PushOutcome } from "../../server/internal.js";
import { parseRetryAfter } from "./retry-after.js";
import { TooSoon } from "./new-receivers.js";
import { RefusedWebhook } from "./refused-webhook.js";
import type { WebhookAnswer } from "./webhook-client.js";

/** The receiver is gone, or will never accept a body of this size. */
const finalStatuses = [410, 413];

/** What a receiver's answer means. Most failures are retried, since people can repair them; few are final. */
export function outcomeOf({ status, headers }: WebhookAnswer, now: number): PushOutcome {
  if (status >= 200 && status < 300) return { kind: "arrived" };
  if (status >= 300 && status < 400) {
    return failed(`the receiver redirects (${status}), which is not followed`);
  }
  const retryAfterMs = parseRetryAfter(headers["retry-after"], now);
  return {
    ...failed(`the receiver answered ${status}`),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(finalStatuses.includes(status) && { isFinal: true }),
  };
}

/** What the lack of an answer means. The reason contains no addresses and no secrets. */
export function outcomeOfError(error: unknown): PushOutcome {
  if (error instanceof RefusedWebhook) {
    const { message, isLasting } = error;
    return { ...failed(`the webhook is refused: ${message}`), isFinal: isLasting };
  }
  if (error instanceof TooSoon) {
    return { ...failed(error.message), retryAfterMs: error.retryAfterMs };
  }
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ABORT_ERR") return failed("the receiver did not answer in time");
  return failed(`the receiver cannot be reached${code === "" ? "" : ` (${code})`}`);
}

function failed(reason: string): { readonly kind: "failed"; readonly reason: string } {
  return { kind: "failed", reason };
}
