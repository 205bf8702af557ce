import type { Fetch } from "../../http/internal.js";

interface Dispatcher {
  dispatch(options: object, handler: unknown): unknown;
}

/** Where node keeps what its fetch sends requests with; elsewhere, and in a context of its own, nothing is. */
const key = Symbol.for("undici.globalDispatcher.1");

/** The platform's fetch, but for node's habit of giving up on an answer that is silent for five minutes. */
export const patientFetch: Fetch = (url, init) => {
  const own = (globalThis as Partial<Record<symbol, Dispatcher>>)[key];
  const dispatcher = own && {
    dispatch: (options: object, handler: unknown) =>
      own.dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler),
  };
  return fetch(url, { ...init, ...(dispatcher && { dispatcher }) } as RequestInit);
};
