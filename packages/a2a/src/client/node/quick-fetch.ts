import type { Fetch } from "../../http/internal.js";
import { sendOverHttp } from "./send-over-http.js";

/**
 * A fetch for programs that make a few calls and end: node's own takes longer to load than all the rest of a client. It sends over
 * `node:http` and asks for no compression. Redirects are followed by node's own.
 *
 * @example
 * const agent = await connect("http://127.0.0.1:4100", { fetch: quickFetch });
 */
export const quickFetch: Fetch = async (url, init) => {
  const response = await sendOverHttp(url, init).catch((cause: unknown) => {
    init.signal?.throwIfAborted();
    throw new TypeError("fetch failed", { cause });
  });
  if (init.redirect === "manual" || !isRedirect(response)) return response;
  await response.body?.cancel();
  return globalThis.fetch(url, init);
};

function isRedirect({ status, headers }: Response): boolean {
  return [301, 302, 303, 307, 308].includes(status) && headers.has("location");
}
