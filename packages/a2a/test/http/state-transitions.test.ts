import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AgentCapabilities, Task } from "@parley/a2a";
import { createGrpcTransport } from "@parley/a2a/grpc";
import type { Server } from "@parley/a2a/node";
import { agent } from "@parley/a2a/server";
import { ask, readResult, textMessage } from "../support/clients/dialect-client.js";
import type { Speech } from "../support/clients/dialect-client.js";
import { jsonOf, send } from "../support/clients/http-client.js";
import { openServer } from "../support/servers/open-server.js";
import { addressOf } from "../support/servers/open-served.js";

const uri = "urn:parley:a2a:state-transitions:v1";

function open(capabilities: AgentCapabilities): Promise<Server> {
  const asking = agent({
    name: "Asking",
    description: "Asks before it answers",
    capabilities,
    async *run({ ask: askCaller }) {
      await askCaller("Where to?");
      yield "done";
    },
  });
  return openServer({ agent: asking, grpc: { port: 0 } });
}

/** The states in the metadata of a task, in order. */
function statesIn({ metadata }: Pick<Task, "metadata">): readonly string[] | undefined {
  const told = metadata?.[uri] as readonly { state: string; timestamp: string }[] | undefined;
  for (const { timestamp } of told ?? []) expect(timestamp).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
  return told?.map(({ state }) => state);
}

const whole = ["submitted", "working", "input-required", "working", "completed"];

/** What a task tells when it asks, when it has ended, and when it is read again. */
async function statesOver(server: Server, speech: Speech | "0.3 gRPC") {
  const converse = async (call: Calls): Promise<readonly unknown[]> => {
    const asks = await call.send(textMessage("hi"));
    const ended = await call.send(
      textMessage("Oslo", {
        taskId: asks.id,
        ...(asks.contextId !== undefined && { contextId: asks.contextId }),
      }),
    );
    return [asks, ended, await call.get(asks.id)].map(statesIn);
  };
  if (speech === "0.3 gRPC") {
    using transport = createGrpcTransport({ address: addressOf(server), version: "0.3" });
    return await converse({
      send: async (request) => taskOf(await transport.sendMessage(request)),
      get: (id) => transport.getTask({ id }),
    });
  }
  return converse({
    send: async (request) => taskOf((await ask(server.url, speech, "sendMessage", request)).result),
    get: async (id) => (await ask(server.url, speech, "getTask", { id })).result,
  });
}

interface Calls {
  readonly send: (request: ReturnType<typeof textMessage>) => Promise<Task>;
  readonly get: (id: string) => Promise<Task>;
}

function taskOf({ task }: { readonly task?: Task }): Task {
  return task ?? expect.fail("expected a task");
}

const speeches = [
  "0.1",
  "0.3",
  "0.3+type",
  "0.3-schema",
  "0.3-proto",
  "0.3 gRPC",
] as const satisfies readonly (Speech | "0.3 gRPC")[];

describe("an agent that declares a history of states", () => {
  let server: Server;
  beforeAll(async () => {
    server = await open({ stateTransitionHistory: true });
  });
  afterAll(() => server.close());

  it.each(speeches)("tells it with tasks in %s", async (speech) => {
    expect(await statesOver(server, speech)).toEqual([whole.slice(0, 3), whole, whole]);
  });

  it.each(["agent.json", "agent-card.json"])("says so in %s, and how it is told", async (file) => {
    const { capabilities } = jsonOf(await send(server.url, `GET /.well-known/${file}`));
    expect(capabilities).toMatchObject({
      stateTransitionHistory: true,
      extensions: expect.arrayContaining([expect.objectContaining({ uri })]) as unknown,
    });
  });

  it("tells readers of 1.0, who know no such capability, of the extension only", async () => {
    const headers = { "A2A-Version": "1.0" };
    const answer = await send(server.url, "GET /.well-known/agent-card.json", { headers });
    const { capabilities } = jsonOf(answer);
    expect(capabilities).not.toHaveProperty("stateTransitionHistory");
    expect(capabilities.extensions).toContainEqual(expect.objectContaining({ uri }));
  });

  it("tells it with the tasks of a list", async () => {
    const answer = await send(server.url, "GET /v1/tasks");
    const { tasks } = readResult("0.3-proto", "listTasks", jsonOf(answer));
    expect(tasks).not.toEqual([]);
    for (const task of tasks) expect(statesIn(task)).toEqual(whole);
  });
});

describe("an agent that declares none", () => {
  let server: Server;
  beforeAll(async () => {
    server = await open({});
  });
  afterAll(() => server.close());

  it.each(speeches)("tells nothing of it in %s", async (speech) => {
    expect(await statesOver(server, speech)).toEqual([undefined, undefined, undefined]);
  });

  it("says so in agent.json, with everything else that its readers may require", async () => {
    const { url } = server;
    const card = jsonOf(await send(url, "GET /.well-known/agent.json"));
    expect(card).toMatchObject({
      capabilities: { streaming: true, pushNotifications: false, stateTransitionHistory: false },
      provider: { organization: "Asking", url },
      authentication: null,
    });
    expect(card.capabilities.extensions).not.toContainEqual(expect.objectContaining({ uri }));
  });
});
