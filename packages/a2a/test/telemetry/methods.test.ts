import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { agent, operations } from "@parley/a2a";
import type { RemoteAgent } from "@parley/a2a";
import { serve } from "@parley/a2a/node";
import type { Server } from "@parley/a2a/node";
import { createMemoryStore } from "@parley/a2a/store/memory";
import { connectOver, interfaces } from "../client/open-agent.js";
import { send } from "../support/clients/http-client.js";
import { RawClient, say03 } from "../support/clients/raw-grpc-client.js";
import { createNodeMetrics } from "./read-registry.js";
import type { NodeMetrics } from "./read-registry.js";
import { recordSpans } from "./record-spans.js";
import type { RecordedSpans } from "./record-spans.js";

let recorded: RecordedSpans;
let counted: NodeMetrics;
let server: Server;

beforeAll(async () => {
  recorded = recordSpans();
  counted = createNodeMetrics();
  const { tracer } = recorded.telemetry;
  const asking = agent({
    name: "Asking",
    description: "Asks, and goes on until it is canceled",
    capabilities: { streaming: true, pushNotifications: true, extendedAgentCard: true },
    extendedCard: (card) => card,
    async *run({ ask }) {
      yield { status: "Asking" };
      await ask("Which one?");
    },
  });
  server = await serve(asking, {
    port: 0,
    grpc: { port: 0 },
    store: createMemoryStore(),
    telemetry: { ...(tracer && { tracer }), metrics: counted.metrics },
    settings: { extendedCardForAnyone: true },
    push: { allowPrivate: true, schemes: ["http"] },
    report: () => undefined,
  });
});
beforeEach(() => recorded.clear());
afterAll(async () => {
  await server.close();
  recorded[Symbol.dispose]();
});

function saying(text: string) {
  const messageId = crypto.randomUUID();
  return { message: { messageId, role: "ROLE_USER", parts: [{ text }] } } as const;
}

const methods = operations.map((one) => one.charAt(0).toUpperCase() + one.slice(1));

/** Calls every operation that a version may have, and returns the names of those that the server was asked for. */
async function callAll({ service }: RemoteAgent): Promise<readonly string[]> {
  const called: string[] = [];
  const tried = async (name: string, work: () => Promise<unknown>): Promise<unknown> => {
    try {
      const result = await work();
      called.push(name);
      return result;
    } catch (error) {
      // What a version does not have, the client refuses by itself.
      if (!/version|not (?:support|have)|no (?:method|operation)/i.test(String(error))) throw error;
      return undefined;
    }
  };
  const first = async (events: AsyncIterable<unknown>): Promise<void> => {
    for await (const _ of events) return;
  };
  const { task } = await service.sendMessage(saying("hello"));
  called.push("SendMessage");
  const taskId = task?.id ?? "";
  const config = { taskId, id: "hook" };
  await tried("SendStreamingMessage", () => first(service.sendStreamingMessage(saying("hello"))));
  await tried("GetTask", () => service.getTask({ id: taskId }));
  await tried("ListTasks", () => service.listTasks({}));
  await tried("SubscribeToTask", () => first(service.subscribeToTask({ id: taskId })));
  await tried("CreateTaskPushNotificationConfig", () =>
    service.createTaskPushNotificationConfig({ ...config, url: "http://127.0.0.1:8080/" }),
  );
  await tried("GetTaskPushNotificationConfig", () => service.getTaskPushNotificationConfig(config));
  await tried("ListTaskPushNotificationConfigs", () =>
    service.listTaskPushNotificationConfigs({ taskId }),
  );
  await tried("DeleteTaskPushNotificationConfig", () =>
    service.deleteTaskPushNotificationConfig(config),
  );
  await tried("GetExtendedAgentCard", () => service.getExtendedAgentCard({}));
  await tried("CancelTask", () => service.cancelTask({ id: taskId }));
  return called;
}

/** How often a method was answered over a binding in a version, whether or not with an error. */
function answers(method: string, binding: string, version: string): number {
  const labels = {
    a2a_method_name: method,
    a2a_protocol_binding: binding,
    a2a_protocol_version: version,
  };
  return counted.value("a2a_server_requests_total", labels) ?? 0;
}

describe.each(interfaces)("over %s %s", (binding, version) => {
  it("every operation has a span and a series with its name in 1.0, its version and its binding", async () => {
    const { grpcAddress, url } = server;
    const caller = await connectOver(url, [binding, version], { grpcAddress });
    recorded.clear();
    // What 0.2 and 0.3 write is the same.
    const served = version === "0.2" ? "0.3" : version;
    const answered = new Map(methods.map((name) => [name, answers(name, binding, served)]));
    const called = await callAll(caller);
    expect(called.length).toBeGreaterThan(version === "0.1" ? 4 : 7);
    const spans = () =>
      recorded.all().filter(({ attributes }) => attributes["a2a.method.name"] !== undefined);
    await expect
      .poll(() =>
        spans()
          .map(({ name }) => name)
          .toSorted(),
      )
      .toEqual(called.toSorted());
    for (const { name, attributes } of spans()) {
      expect(attributes).toMatchObject({ "a2a.method.name": name, "a2a.protocol.version": served });
    }
    const grown = () =>
      methods.filter((name) => answers(name, binding, served) - (answered.get(name) ?? 0) === 1);
    await expect.poll(grown).toEqual(methods.filter((name) => called.includes(name)));
  });
});

describe.each(["0.2", "0.3", undefined])("a request of version %s", (version) => {
  const headers = version === undefined ? {} : { "A2A-Version": version };

  it("over REST, at the paths before 1.0, counts as 0.3", async () => {
    const [before, of10] = [
      answers("SendMessage", "HTTP+JSON", "0.3"),
      answers("SendMessage", "HTTP+JSON", "1.0"),
    ];
    const { status } = await send(server.url, "POST /v1/message:send", {
      json: say03("hi"),
      headers,
    });
    expect(status).toBe(200);
    await expect.poll(() => recorded.named("SendMessage", "SERVER")).toHaveLength(1);
    const { attributes } = recorded.one("SendMessage", "SERVER");
    expect(attributes["a2a.protocol.version"]).toBe("0.3");
    expect(answers("SendMessage", "HTTP+JSON", "0.3")).toBe(before + 1);
    expect(answers("SendMessage", "HTTP+JSON", "1.0")).toBe(of10);
  });

  it("over gRPC, to the service before 1.0, counts as 0.3", async () => {
    const before = answers("SendMessage", "GRPC", "0.3");
    const of10 = answers("SendMessage", "GRPC", "1.0");
    const raw = new RawClient(server.grpcAddress ?? "");
    const metadata = version === undefined ? {} : { "a2a-version": version };
    const { error } = await raw.call("0.3", "SendMessage", say03("hi"), { metadata });
    raw.close();
    expect(error).toBeUndefined();
    await expect.poll(() => recorded.named("SendMessage", "SERVER")).toHaveLength(1);
    const { attributes } = recorded.one("SendMessage", "SERVER");
    expect(attributes["a2a.protocol.version"]).toBe("0.3");
    expect(answers("SendMessage", "GRPC", "0.3")).toBe(before + 1);
    expect(answers("SendMessage", "GRPC", "1.0")).toBe(of10);
  });
});
