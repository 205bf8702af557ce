import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { createHttpHandler } from "../http/index.js";
import type { HttpHandler, HttpOptions } from "../http/index.js";
import { NodeRequest } from "./node-request.js";
import { sendResponse } from "./send-response.js";

/** A listener for node's servers, and for frameworks that pass its requests through. */
export interface NodeListener extends RequestListener {
  /**
   * Ends what is under way, and from now on every wait: streams close and waiting calls are answered,
   * both with word to try again. Resolves when all have their answer.
   */
  drain(): Promise<void>;
}

/**
 * Serves agents with node's own HTTP server.
 *
 * @example
 * http.createServer(createNodeListener({ mounts: [{ agent }] })).listen(4100);
 */
export function createNodeListener(options: HttpOptions): NodeListener {
  return listenWith(createHttpHandler(options));
}

function listenWith(handle: HttpHandler): NodeListener {
  const underWay = new Map<NodeRequest, Promise<void>>();
  let isDraining = false;
  const listener = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const request = new NodeRequest(incoming, outgoing);
    if (isDraining) {
      outgoing.shouldKeepAlive = false;
      request.abort();
    }
    const answered = handle(request)
      .then((response) => sendResponse(outgoing, response, request.method))
      .catch(() => void outgoing.destroy())
      .finally(() => underWay.delete(request));
    underWay.set(request, answered);
  };
  return Object.assign(listener, {
    async drain() {
      isDraining = true;
      for (const request of underWay.keys()) request.abort();
      await Promise.all(underWay.values());
    },
  });
}
