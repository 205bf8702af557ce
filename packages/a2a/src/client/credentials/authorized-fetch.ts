import { A2AError } from "../../protocol/index.js";
import type { AgentCard } from "../../protocol/index.js";
import type { Fetch } from "../../http/index.js";
import { authorize } from "./authorize.js";
import type { Secrets } from "./secret.js";

export interface AuthorizedFetchOptions {
  readonly fetch: Fetch;
  readonly card: AgentCard;
  readonly secrets: Secrets;
  /** The only origin that is told any of the secrets. */
  readonly origin: string;
}

/**
 * A fetch that authenticates as the card requires. A refusal makes it ask for other tokens once.
 * It goes to one origin only and follows no redirects, which could lead elsewhere.
 */
export function authorizedFetch({ fetch, card, secrets, origin }: AuthorizedFetchOptions): Fetch {
  const hasSource = Object.values(secrets).some((secret) => typeof secret === "function");
  return async (url, init) => {
    if (new URL(url).origin !== origin) {
      const message = `the credentials are for ${origin} and are not sent to ${new URL(url).origin}`;
      throw new A2AError("UNAUTHENTICATED", message);
    }
    const send = async (isRefused: boolean): Promise<Response> => {
      const added = await authorize(card, secrets, { isRefused, signal: init.signal ?? undefined });
      const headers = new Headers(init.headers);
      for (const [name, value] of Object.entries(added.headers)) headers.set(name, value);
      const target = new URL(url);
      for (const [name, value] of Object.entries(added.query)) target.searchParams.set(name, value);
      return fetch(target.href, { ...init, headers, redirect: "manual" });
    };
    let response = await send(false);
    if (response.status === 401 && hasSource) {
      await response.body?.cancel();
      response = await send(true);
    }
    if (response.type === "opaqueredirect" || [301, 302, 303, 307, 308].includes(response.status)) {
      const target = response.headers.get("location") ?? "another place";
      await response.body?.cancel();
      const message = `${origin} redirects to ${target}; credentials are not sent along`;
      throw new A2AError("PERMISSION_DENIED", message);
    }
    return response;
  };
}
