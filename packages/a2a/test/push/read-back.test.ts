import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TaskPushNotificationConfig } from "@parley/a2a";
import { createGrpcTransport } from "@parley/a2a/grpc";
import type { Server } from "@parley/a2a/node";
import { verifies } from "../spec/verifies.js";
import { ask, textMessage } from "../support/clients/dialect-client.js";
import type { Speech } from "../support/clients/dialect-client.js";
import { openReceiver } from "../support/servers/open-receiver.js";
import { addressOf, openServed } from "../support/servers/open-served.js";

const push = { allowPrivate: ["127.0.0.0/8"], schemes: ["http"] as const };
const secret = /hush/;

type Ids = { readonly taskId: string; readonly id: string };

/** How one version and binding registers a webhook and reads it back. Answers are shown as text. */
interface Caller {
  send(text: string, taskId?: string): Promise<string>;
  set(config: TaskPushNotificationConfig): Promise<unknown>;
  get(ids: Ids): Promise<unknown>;
  list?(taskId: string): Promise<unknown>;
}

function overHttp({ url }: Server, speech: Speech): Caller {
  const textOf = async (answer: Promise<{ readonly text: string }>) => (await answer).text;
  return {
    async send(text, taskId) {
      const request = textMessage(text, taskId === undefined ? {} : { taskId });
      const { result } = await ask(url, speech, "sendMessage", request);
      return result.task?.id ?? "";
    },
    set: (config) => textOf(ask(url, speech, "createTaskPushNotificationConfig", config as never)),
    get: (ids) => textOf(ask(url, speech, "getTaskPushNotificationConfig", ids)),
    ...(speech !== "0.1" && {
      list: (taskId: string) =>
        textOf(ask(url, speech, "listTaskPushNotificationConfigs", { taskId })),
    }),
  };
}

function overGrpc(server: Server, version: "0.3" | "1.0"): Caller & Disposable {
  const transport = createGrpcTransport({ address: addressOf(server), version });
  return {
    async send(text, taskId) {
      const request = textMessage(text, taskId === undefined ? {} : { taskId });
      return (await transport.sendMessage(request)).task?.id ?? "";
    },
    set: (config) => transport.createTaskPushNotificationConfig(config as never),
    get: (ids) => transport.getTaskPushNotificationConfig(ids),
    list: (taskId) => transport.listTaskPushNotificationConfigs({ taskId }),
    [Symbol.dispose]: () => transport.close(),
  };
}

const callers: readonly (readonly [string, (server: Server) => Caller])[] = [
  ...(["0.1", "0.3", "0.3+type", "0.3-schema", "0.3-proto", "1.0", "1.0 REST"] as const).map(
    (speech) => [speech, (server: Server) => overHttp(server, speech)] as const,
  ),
  ["0.3 gRPC", (server) => overGrpc(server, "0.3")],
  ["1.0 gRPC", (server) => overGrpc(server, "1.0")],
];

describe.each(callers)("the secrets of a webhook that is registered in %s", (name, open) => {
  let server: Server;
  beforeAll(async () => {
    server = await openServed({ push });
  });
  afterAll(() => server.close());

  it("are confirmed when they are set, read back by nobody, and sent to the receiver", async () => {
    verifies("push:get-details", "push:token", "push:credentials");
    await using receiver = await openReceiver();
    const caller = open(server);
    const taskId = await caller.send("flight");
    // 0.1 has one configuration for each task, and no id for it.
    const id = name === "0.1" ? taskId : "c1";
    const hook = { taskId, id, url: `${receiver.url}/hook` };
    const authentication = { scheme: "Bearer", credentials: "hush-credentials" };
    const set = JSON.stringify(await caller.set({ ...hook, token: "hush-token", authentication }));
    expect(set).toContain("hush-credentials");
    expect(set).toContain("hush-token");

    const read = JSON.stringify(await caller.get({ taskId, id }));
    expect(read).toContain(`${receiver.url}/hook`);
    expect(read).toContain("Bearer");
    expect(read).not.toMatch(secret);
    if (caller.list !== undefined) {
      const listed = JSON.stringify(await caller.list(taskId));
      expect(listed).toContain(`${receiver.url}/hook`);
      expect(listed).not.toMatch(secret);
    }

    await caller.send("Tokyo", taskId);
    await receiver.until(1);
    expect(receiver.received[0]?.headers).toMatchObject({
      "x-a2a-notification-token": "hush-token",
      authorization: "Bearer hush-credentials",
    });
  });

  it("are not told to who replaces the configuration", async () => {
    await using receiver = await openReceiver();
    const caller = open(server);
    const taskId = await caller.send("flight");
    const id = name === "0.1" ? taskId : "c1";
    const hook = { taskId, id, url: `${receiver.url}/hook` };
    await caller.set({ ...hook, token: "hush-token" });
    expect(JSON.stringify(await caller.set(hook))).not.toMatch(secret);
  });
});
