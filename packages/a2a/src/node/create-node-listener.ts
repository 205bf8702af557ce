import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { createHttpHandler } from "../http/internal.js";
import type { HttpHandler, HttpOptions } from "../http/internal.js";
import { Callers } from "./callers.js";
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
 * const runtime = await openRuntime({ agent: echo, store });
 * const listener = createNodeListener({ mounts: [{ agent: runtime.hosted }] });
 * createServer(listener).listen(4100, "127.0.0.1");
 */
export function createNodeListener(options: HttpOptions): NodeListener {
  return listenWith(createHttpHandler(options));
}

function listenWith(handle: HttpHandler): NodeListener {
  const callers = new Callers();
  let isDraining = false;
  let underWay = 0;
  let onAllAnswered: (() => void) | undefined;

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    underWay += 1;
    try {
      const request = new NodeRequest(incoming, outgoing, callers);
      const response = await handle(request);
      if (isDraining) outgoing.shouldKeepAlive = false;
      await sendResponse(outgoing, response, request.method);
    } catch {
      outgoing.destroy();
    } finally {
      underWay -= 1;
      if (underWay === 0) onAllAnswered?.();
    }
  }

  const listener = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    void answer(incoming, outgoing);
  };
  return Object.assign(listener, {
    async drain() {
      isDraining = true;
      callers.sendAway();
      if (underWay > 0) await new Promise<void>((resolve) => (onAllAnswered = resolve));
    },
  });
}
