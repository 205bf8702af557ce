import type { InspectedServer, ServerInspector } from "@parley/a2a/node";
import { createRedactor } from "../record/index.js";
import { isLoopback } from "./http/check-request.js";
import type { InspectorOptions } from "./inspector-options.js";
import { openInspector } from "./open-inspector.js";
import type { OpenInspector } from "./open-inspector.js";
import { Feed } from "./record/feed.js";
import { HopRing } from "./record/hop-ring.js";
import { PushAttempts } from "./record/push-attempts.js";
import { watchHandler } from "./record/watch-handler.js";

/** An inspector that is yet to be opened: alone, or by `serve` beside a server. */
export interface Inspector extends ServerInspector {
  open(server?: InspectedServer): Promise<OpenInspector>;
}

/**
 * Creates an inspector: a page and its backend, for looking at agents.
 *
 * @example
 * const { inspector } = await serve(echo, { inspector: createInspector() });
 * console.log(inspector?.newLink());
 */
export function createInspector(options: InspectorOptions = {}): Inspector {
  checkExposure(options);
  const feed = new Feed();
  const ring = new HopRing(feed);
  const pushes = new PushAttempts(feed);
  let redactor = createRedactor([]);
  let mounts: readonly string[] = [];
  return {
    watch: (handle) =>
      watchHandler(handle, { ring, redactor: () => redactor, mounts: () => mounts }),
    watchPush: (sender) => pushes.watch(sender),
    open(server) {
      mounts = server?.agents.map(({ path }) => path) ?? [];
      return openInspector(options, {
        feed,
        ring,
        pushes,
        server,
        onPlaces: (places) => (redactor = createRedactor([], places)),
      });
    },
  };
}

function checkExposure({ host = "127.0.0.1", key }: InspectorOptions): void {
  if (key !== undefined && key.length < 16) {
    throw new Error("createInspector(): key has fewer than 16 characters");
  }
  if (isLoopback(host) || key !== undefined) return;
  throw new Error(
    `createInspector(): other machines reach ${host}; give a key, or leave host out to be reached from this machine only`,
  );
}
