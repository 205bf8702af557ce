import { A2AError } from "../../protocol/internal.js";

/** The platform's `fetch`, or a function like it. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Access to network and time, for tests and for proxies. */
export interface Outside {
  readonly fetch?: Fetch;
  readonly now?: () => number;
}

const restMs = 1000;

/** Bytes of an answer, after decompression. Metadata, keys and verdicts take a few kilobytes. */
const maxAnswerBytes = 1024 * 1024;

/**
 * A fetch that fails at once for a while after a failure, so that callers whose tokens cannot be verified
 * do not make this server send a request to the issuer for each of them.
 */
export function createIssuerFetch({ fetch: send, now = Date.now }: Outside): Fetch {
  let restsUntil = 0;
  return async (url, init) => {
    if (now() < restsUntil)
      throw new Error("the issuer has just failed; it is not asked again for a second");
    try {
      const response = await (send ?? fetch)(url, init);
      if (response.status >= 500) restsUntil = now() + restMs;
      return bounded(response);
    } catch (error) {
      restsUntil = now() + restMs;
      throw error;
    }
  };
}

/** The same answer, whose body fails once it is too long. */
function bounded(response: Response): Response {
  if (response.body === null) return response;
  let size = 0;
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      size += piece.byteLength;
      if (size <= maxAnswerBytes) controller.enqueue(piece);
      else {
        controller.error(
          new Error(
            `the issuer's answer has more than ${maxAnswerBytes} bytes; nothing it says is used`,
          ),
        );
      }
    },
  });
  return new Response(response.body.pipeThrough(counting), response);
}

/** The error when a token cannot be verified now, though it may be valid. */
export function issuerUnavailable(cause: unknown): A2AError {
  return new A2AError(
    "UNAVAILABLE",
    "the server cannot verify credentials at the moment; try again later",
    {
      details: { retryAfterSeconds: 5 },
      cause,
    },
  );
}
