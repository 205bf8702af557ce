import type { Fetch } from "@parley/a2a/client";
import type { InspectedServer } from "@parley/a2a/node";

/** How an inspector beside a server calls agents. */
export interface OwnAgents {
  /** Reaches the agents of the server, without a socket, and nobody else. */
  readonly fetch: Fetch;
  /** Whether a URL is one of the server. */
  readonly isOwn: (url: string) => boolean;
}

/** Calls the agents of a server in its own process. There is no way from here to the network. */
export function inProcess({ url, publicUrl, answer }: InspectedServer): OwnAgents {
  const origins = new Set(
    [url, publicUrl].flatMap((one) => (one === undefined ? [] : [new URL(one).origin])),
  );
  const isOwn = (address: string): boolean =>
    URL.canParse(address) && origins.has(new URL(address).origin);
  return {
    isOwn,
    async fetch(address, init) {
      if (!isOwn(address)) {
        throw new TypeError("an inspector beside a server calls its own agents only");
      }
      const response = await answer(new Request(address, init));
      return Object.defineProperty(response, "url", { value: address });
    },
  };
}
