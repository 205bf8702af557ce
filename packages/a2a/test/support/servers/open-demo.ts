import { serve } from "@parley/a2a/node";
import type { ServeOptions, Server } from "@parley/a2a/node";
import type { Agent } from "@parley/a2a/server";
import { createMemoryStore } from "@parley/a2a/store/memory";
import { demoAgent } from "../../../../cli/src/demo-agent.js";

const capabilities = { ...demoAgent.capabilities, extendedAgentCard: true };

/** The demo agent with an extended card at a URL, which it does not declare by itself. */
export function extendedDemoAgent(url: () => string): Agent {
  return {
    ...demoAgent,
    capabilities,
    extendedCard: () => extendedCardAt(url()),
    card: cardOf,
  };
}

function cardOf(interfaces: Parameters<Agent["card"]>[0]): ReturnType<Agent["card"]> {
  return { ...demoAgent.card(interfaces), capabilities };
}

/** Lets everyone read the extended card. */
export const forAnyone = { extendedCardForAnyone: true };

/** The name of the agent in its extended card. */
export const extendedName = "Parley demo, extended";

/** The extended card of a demo agent at a URL. */
function extendedCardAt(url: string): ReturnType<Agent["card"]> {
  const card = cardOf([
    { url, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
    { url, protocolBinding: "JSONRPC", protocolVersion: "0.3" },
    { url, protocolBinding: "HTTP+JSON", protocolVersion: "0.3" },
  ]);
  return {
    ...card,
    name: extendedName,
    securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: "bearer" } } },
    securityRequirements: [{ schemes: { bearer: {} } }],
  };
}

export type Demo = Pick<Server, "url" | typeof Symbol.asyncDispose>;

/** Opens a server of the demo agent on a free port, with its tasks in memory. */
export async function openDemo(options: ServeOptions = {}): Promise<Server> {
  let url = "";
  const serving = await serve(
    extendedDemoAgent(() => url),
    {
      ...options,
      port: 0,
      store: createMemoryStore(),
      settings: { ...forAnyone, ...options.settings },
    },
  );
  ({ url } = serving);
  return serving;
}

/** The text that the demo agent streams for `stream N`. */
export function streamedText(count: number): string {
  return Array.from({ length: count }, (_, index) => `chunk ${index + 1} `).join("");
}
