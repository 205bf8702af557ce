import { A2AError } from "../../protocol/internal.js";

/** The `fetch` of the platform, or one that goes another way. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** What is asked of the world outside, for tests and for proxies. */
export interface Outside {
  readonly fetch?: Fetch;
  readonly now?: () => number;
}

const restMs = 1000;

/**
 * A fetch that rests after a failure: callers whose tokens cannot be checked do not make this server
 * knock on an issuer's door for each of them.
 */
export function createIssuerFetch({ fetch: send, now = Date.now }: Outside): Fetch {
  let restsUntil = 0;
  return async (url, init) => {
    if (now() < restsUntil) throw new Error("the issuer has failed just now");
    try {
      const response = await (send ?? fetch)(url, init);
      if (response.status >= 500) restsUntil = now() + restMs;
      return response;
    } catch (error) {
      restsUntil = now() + restMs;
      throw error;
    }
  };
}

/** The caller may be right; it cannot be told now. */
export function issuerUnavailable(cause: unknown): A2AError {
  return new A2AError("UNAVAILABLE", "authentication is not possible at the moment", {
    details: { retryAfterSeconds: 5 },
    cause,
  });
}
