import { A2AError } from "../../protocol/internal.js";
import { headerFields } from "../../http/internal.js";
import type { Fetch, HeaderFields } from "../../http/internal.js";
import type { Authorization } from "./authorize.js";
import { authorizeRequest, isRenewable } from "./authorize-request.js";
import type { Entrusted } from "./secret.js";

/**
 * A fetch that authenticates as the card requires. After a refusal it asks the token sources for other tokens,
 * once. It sends to one origin only and follows no redirects, which could lead to another.
 */
export function authorizedFetch(fetch: Fetch, entrusted: Entrusted): Fetch {
  return async (url, init) => {
    const signal = init.signal ?? undefined;
    const send = (added: Authorization): Promise<Response> => {
      const headers = {
        ...headerFields(entrusted.headers),
        ...(init.headers as HeaderFields),
        ...headerFields(added.headers),
      };
      const target = new URL(url);
      for (const [name, value] of Object.entries(added.query)) target.searchParams.set(name, value);
      return fetch(target.href, { ...init, headers, redirect: "manual" });
    };
    const added = await authorizeRequest(url, entrusted, { signal });
    let response = await send(added);
    if (response.status === 401 && isRenewable(added)) {
      await response.body?.cancel();
      response = await send(await authorizeRequest(url, entrusted, { refused: added, signal }));
    }
    if (response.type === "opaqueredirect" || [301, 302, 303, 307, 308].includes(response.status)) {
      const target = response.headers.get("location") ?? "another URL";
      await response.body?.cancel();
      const message = `${new URL(url).origin} redirects to ${target}; a request with credentials follows no redirects`;
      throw new A2AError("PERMISSION_DENIED", message);
    }
    return response;
  };
}
