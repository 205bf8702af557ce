import type { Fetch } from "../../http/internal.js";

interface Dispatcher {
  dispatch(options: object, handler: unknown): unknown;
}

/** Where node keeps the dispatcher of its fetch. Other runtimes have none, nor have node's vm contexts. */
const key = Symbol.for("undici.globalDispatcher.1");

/** The platform's fetch without node's timeout, which gives up on an answer after five silent minutes. */
export const patientFetch: Fetch = (url, init) => {
  const own = (globalThis as Partial<Record<symbol, Dispatcher>>)[key];
  const dispatcher = own && {
    dispatch: (options: object, handler: unknown) =>
      own.dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler),
  };
  return fetch(url, { ...init, ...(dispatcher && { dispatcher }) } as RequestInit);
};
