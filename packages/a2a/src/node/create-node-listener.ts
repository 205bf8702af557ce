import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { createHttpHandler } from "../http/internal.js";
import type { HttpHandler, HttpOptions } from "../http/internal.js";
import type { MountableAgent } from "../protocol/internal.js";
import { Callers } from "./callers.js";
import { NodeRequest } from "./node-request.js";
import { sendResponse } from "./send-response.js";

/** A listener for node's servers, and for frameworks that pass on node's requests. */
export interface NodeListener extends RequestListener {
  /**
   * Ends every stream and every wait, and from now on each new one at once: callers are told to try again.
   * Resolves when all calls are answered.
   */
  drain(): Promise<void>;
}

/**
 * Serves an agent, or several that are mounted, with node's own HTTP server.
 *
 * @example
 * const runtime = await openRuntime({ agent: echo, store });
 * createServer(createNodeListener(runtime)).listen(4100, "127.0.0.1");
 */
export function createNodeListener(
  agentOrOptions: MountableAgent | HttpOptions,
  furtherOptions: Omit<HttpOptions, "mounts"> = {},
): NodeListener {
  return listenWith(createHttpHandler(agentOrOptions, furtherOptions));
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
