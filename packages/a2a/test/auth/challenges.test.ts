import { expect, test } from "vitest";
import { openGrpcServer } from "../../src/grpc/index.js";
import { createFetchHandler } from "../../src/http/index.js";
import type { Mount } from "../../src/http/index.js";
import { A2AError } from "../../src/protocol/internal.js";
import type { AgentService, Authenticator } from "../../src/protocol/internal.js";
import { agent } from "../../src/server/index.js";
import { RawClient } from "../support/clients/raw-grpc-client.js";

const any = agent({ name: "Any", description: "Any", run: () => "" });

/** An agent that anyone reaches, and that then wants to know its caller. */
function mountOf(tenant: string): Mount {
  const getTask = async (): Promise<never> => {
    throw new A2AError("UNAUTHENTICATED", "this task is for authenticated callers");
  };
  const auth: Authenticator = {
    authenticate: async () => undefined,
    challenges: [`Bearer realm="${tenant}"`],
    declareIn: (card) => card,
  };
  const service = { getTask } as unknown as AgentService;
  return { agent: { service, card: (interfaces) => any.card(interfaces) }, tenant, auth };
}

const mounts = [mountOf("acme"), mountOf("globex")];
const handle = createFetchHandler({ mounts });

test.each<[string, () => Promise<readonly unknown[]>]>([
  [
    "JSON-RPC",
    async () => {
      const params = { tenant: "acme", id: "t" };
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "GetTask", params });
      const headers = { "Content-Type": "application/json", "A2A-Version": "1.0" };
      const answer = await handle(new Request("http://x/", { method: "POST", headers, body }));
      return [answer.status, answer.headers.get("www-authenticate")];
    },
  ],
  [
    "REST",
    async () => {
      const headers = { "A2A-Version": "1.0" };
      const answer = await handle(new Request("http://x/acme/tasks/t", { headers }));
      return [answer.status, answer.headers.get("www-authenticate")];
    },
  ],
  [
    "gRPC",
    async () => {
      await using server = await openGrpcServer({ mounts, port: 0, drainMs: 100 });
      const client = new RawClient(`127.0.0.1:${server.port}`);
      const { error } = await client.call("1.0", "GetTask", { tenant: "acme", id: "t" });
      client.close();
      const isUnauthenticated = error?.code === 16;
      return [isUnauthenticated ? 401 : error, error?.metadata.get("www-authenticate").join(", ")];
    },
  ],
])("over %s, a caller is challenged for the agent it has called and no other", async (_, ask) => {
  expect(await ask()).toEqual([401, 'Bearer realm="acme"']);
});
