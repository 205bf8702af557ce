import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { createHttpHandler } from "../http/index.js";
import type { HttpHandler, HttpOptions } from "../http/index.js";
import { NodeRequest } from "./node-request.js";
import { sendResponse } from "./send-response.js";

/** A listener for node's servers, and for frameworks that pass its requests through. */
export interface NodeListener extends RequestListener {
  /** Ends what is under way: streams close and waiting calls are told to try again. */
  drain(): void;
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
  const underWay = new Set<NodeRequest>();
  const listener = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const request = new NodeRequest(incoming, outgoing);
    underWay.add(request);
    handle(request)
      .then((response) => sendResponse(outgoing, response, request.method))
      .catch(() => outgoing.destroy())
      .finally(() => underWay.delete(request));
  };
  return Object.assign(listener, {
    drain() {
      for (const request of underWay) request.abort();
    },
  });
}
