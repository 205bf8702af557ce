import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { operations } from "@parley/a2a";
import type { AgentService, MountableAgent, StreamEvent } from "@parley/a2a";
import type { HttpOptions } from "@parley/a2a/http";
import { createNodeListener } from "@parley/a2a/node";
import { demoAgent } from "../../../cli/src/demo-agent.js";
import { isStreaming } from "../../src/protocol/internal.js";

/** A service whose every operation does what a test says, be it that a stream comes first. */
export function createStubService(
  fail: () => never,
  before: readonly StreamEvent[] = [],
): AgentService {
  const entries = operations.map((operation) => [
    operation,
    isStreaming(operation)
      ? async function* stream() {
          yield* before;
          fail();
        }
      : async () => fail(),
  ]);
  return Object.fromEntries(entries) as AgentService;
}

export interface Listening extends AsyncDisposable {
  readonly url: string;
}

/** Serves any `AgentService` under the demo agent's card. */
export async function openService(
  service: AgentService,
  options: Omit<HttpOptions, "mounts"> = {},
): Promise<Listening> {
  const agent: MountableAgent = { service, card: (interfaces) => demoAgent.card(interfaces) };
  const server = createServer(createNodeListener({ ...options, mounts: [{ agent }] }));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
