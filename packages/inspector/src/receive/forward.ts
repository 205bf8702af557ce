import type { Delivered } from "./notification.js";

/** What became of a notification that was passed on. */
export interface Forwarded {
  /** The status of the receiver; absent if it did not answer. */
  readonly status?: number;
  readonly failure?: string;
  readonly ms: number;
}

/** Headers of one connection, which are not passed on to the next. */
const ofConnection =
  /^(?:host|connection|keep-alive|content-length|transfer-encoding|expect|upgrade|te|trailer|proxy-.*)$/;

const patienceMs = 30_000;

/** Posts a notification to a URL, as it came. Never rejects. */
export async function forward(url: string, { headers, body }: Delivered): Promise<Forwarded> {
  const startedAt = performance.now();
  const passed = Object.entries(headers).filter(([name]) => !ofConnection.test(name));
  const elapsed = (): number => Math.round(performance.now() - startedAt);
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: Object.fromEntries(passed),
      body,
      redirect: "manual",
      signal: AbortSignal.timeout(patienceMs),
    });
    await response.body?.cancel();
    return { status: response.status, ms: elapsed() };
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    return { failure: cause instanceof Error ? cause.message : String(cause), ms: elapsed() };
  }
}

export function forwardedText({ status, failure, ms }: Forwarded): string {
  return status === undefined ? `no answer (${failure})` : `HTTP ${status} in ${ms} ms`;
}
