import { A2AError } from "../../protocol/index.js";
import type { AgentCard } from "../../protocol/index.js";
import type { Fetch } from "../../http/index.js";
import { authorize } from "./authorize.js";
import type { Authorization } from "./authorize.js";
import type { Secrets } from "./secret.js";

export interface AuthorizedFetchOptions {
  readonly fetch: Fetch;
  readonly card: AgentCard;
  readonly secrets?: Secrets | undefined;
  /** Sent with every request, unless it brings headers of the same names. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The only origin that is told any of the secrets and headers. */
  readonly origin: string;
}

const redirects = [301, 302, 303, 307, 308];

/**
 * A fetch that authenticates as the card requires. A refusal makes it ask for other tokens once.
 * It goes to one origin only and follows no redirects, which could lead elsewhere.
 */
export function authorizedFetch({
  fetch,
  card,
  secrets,
  headers: always = {},
  origin,
}: AuthorizedFetchOptions): Fetch {
  return async (url, init) => {
    if (new URL(url).origin !== origin) {
      const message = `the credentials are for ${origin} and are not sent to ${new URL(url).origin}`;
      throw new A2AError("UNAUTHENTICATED", message);
    }
    const signal = init.signal ?? undefined;
    const prepare = async (refused?: Authorization): Promise<Authorization | undefined> => {
      try {
        return (
          secrets && (await authorize(card, secrets, { origin, refused: refused?.tokens, signal }))
        );
      } catch (error) {
        signal?.throwIfAborted();
        throw unsent(error);
      }
    };
    const send = async (added?: Authorization): Promise<Response> => {
      const headers = new Headers(always);
      new Headers(init.headers).forEach((value, name) => headers.set(name, value));
      const target = new URL(url);
      for (const [name, value] of Object.entries(added?.headers ?? {})) headers.set(name, value);
      for (const [name, value] of Object.entries(added?.query ?? {})) {
        target.searchParams.set(name, value);
      }
      return fetch(target.href, { ...init, headers, redirect: "manual" });
    };
    const first = await prepare();
    let response = await send(first);
    if (response.status === 401 && Object.keys(first?.tokens ?? {}).length > 0) {
      await response.body?.cancel();
      response = await send(await prepare(first));
    }
    if (response.type === "opaqueredirect" || redirects.includes(response.status)) {
      const target = response.headers.get("location") ?? "another place";
      await response.body?.cancel();
      const message = `${origin} redirects to ${target}; credentials are not sent along`;
      throw new A2AError("PERMISSION_DENIED", message);
    }
    return response;
  };
}

/** The failure of a source, marked so that nobody takes it for a lost connection. */
function unsent(error: unknown): A2AError {
  const reason = error instanceof Error ? error.message : String(error);
  const { code, message, details } = A2AError.is(error)
    ? error
    : new A2AError("UNAUTHENTICATED", `there is no token: ${reason}`);
  const cause = Object.assign(new Error("nothing was sent", { cause: error }), { code: "UNSENT" });
  return new A2AError(code, message, { details, cause });
}
