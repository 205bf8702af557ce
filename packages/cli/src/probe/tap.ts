import { AsyncLocalStorage } from "node:async_hooks";

/** The function by which requests are sent. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** A request on its way, as a check may change it. */
export interface OutgoingRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: string | undefined;
}

/** A request and its answer, as they were on the wire. */
export interface Exchange {
  readonly url: string;
  readonly method: string;
  readonly sentBody: string | undefined;
  readonly status: number;
  readonly headers: Headers;
  /** Where the answer came from, if the request was redirected. */
  readonly redirectedTo: string | undefined;
  /** What was read of the body so far, at most `maxKeptBytes`. */
  readonly text: () => string;
}

/** What happens to the requests of one call. */
export interface Tapping {
  readonly alter?: (request: OutgoingRequest) => OutgoingRequest;
  readonly exchanges: Exchange[];
}

/** The most that is kept of a body; the rest passes unseen. */
const maxKeptBytes = 1024 * 1024;

const current = new AsyncLocalStorage<Tapping>();

/** Runs a call whose requests are recorded, and changed if `alter` says so. Calls at the same time do not mix. */
export function runTapped<T>(tapping: Tapping, call: () => T): T {
  return current.run(tapping, call);
}

/** A fetch that records what the calls within `runTapped` send and receive. */
export function tappedFetch(fetch: Fetch): Fetch {
  return async (url, init) => {
    const tapping = current.getStore();
    if (tapping === undefined) return fetch(url, init);
    const request = tapping.alter?.(outgoing(url, init)) ?? outgoing(url, init);
    const { method, headers, body } = request;
    const response = await fetch(request.url, { ...init, method, headers, body: body ?? null });
    const { kept, passed } = keepBody(response);
    tapping.exchanges.push({
      url: request.url,
      method,
      sentBody: body,
      status: response.status,
      headers: response.headers,
      redirectedTo: response.redirected ? response.url : undefined,
      text: kept,
    });
    return passed;
  };
}

function outgoing(url: string, init: RequestInit): OutgoingRequest {
  return {
    url,
    method: init.method ?? "GET",
    headers: new Headers(init.headers),
    body: typeof init.body === "string" ? init.body : undefined,
  };
}

/** The response, with a body that is kept while it is read. */
function keepBody(response: Response): { readonly kept: () => string; readonly passed: Response } {
  if (response.body === null) return { kept: () => "", passed: response };
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  const body = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        if (size < maxKeptBytes) text += decoder.decode(chunk, { stream: true });
        size += chunk.byteLength;
        controller.enqueue(chunk);
      },
    }),
  );
  const { status, headers } = response;
  return { kept: () => text, passed: new Response(body, { status, headers }) };
}
