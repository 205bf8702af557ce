import type { Fetch } from "../http/index.js";

interface Dispatcher {
  dispatch(options: object, handler: unknown): unknown;
}

/** Where node keeps what its fetch sends requests with; other platforms have nothing there. */
const key = Symbol.for("undici.globalDispatcher.1");

const dispatcher: Dispatcher = {
  dispatch: (options, handler) =>
    (globalThis as Partial<Record<symbol, Dispatcher>>)[key]?.dispatch(
      { ...options, headersTimeout: 0, bodyTimeout: 0 },
      handler,
    ),
};

/** The platform's fetch, but for node's habit of giving up on an answer that is silent for five minutes. */
export const patientFetch: Fetch = (url, init) =>
  fetch(url, { ...init, dispatcher } as RequestInit);
