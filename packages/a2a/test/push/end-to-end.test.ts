import { StreamResponse } from "a2a-sdk-1.0";
import { legacyPushNotificationToV1StreamResponse } from "a2a-sdk-1.0/compat/v0_3";
import { describe, expect, it } from "vitest";
import { createPushVerifier } from "@parley/a2a/client/push";
import type { VerifiedPush } from "@parley/a2a/client/push";
import { ask, textMessage } from "../support/clients/dialect-client.js";
import type { Speech } from "../support/clients/dialect-client.js";
import { call, jsonOf, sayOldest } from "../support/clients/http-client.js";
import type { JsonBody } from "../support/clients/http-client.js";
import { streamedText } from "../support/servers/open-demo.js";
import { openServer } from "../support/servers/open-server.js";
import { openFolder } from "../support/files/open-folder.js";
import type { ServerOptions } from "../support/servers/open-server.js";
import { verifies } from "../spec/verifies.js";
import { openReceiver } from "../support/servers/open-receiver.js";
import type { Receiver } from "../support/servers/open-receiver.js";

const push = { allowPrivate: ["127.0.0.0/8"], schemes: ["http"] as const };

function openPushing(options: ServerOptions = {}) {
  return openServer({ push, ...options });
}

const bodiesOf = (receiver: Receiver): readonly JsonBody[] =>
  receiver.received.map(({ body }) => jsonOf({ text: String(body) }));

const stateIn = (body: JsonBody): unknown => (body.statusUpdate ?? body.task ?? body).status?.state;

/** Resolves when a receiver has heard that the task is done. */
async function untilDone(receiver: Receiver): Promise<readonly JsonBody[]> {
  const isEnd = (body: JsonBody) => /completed$/i.test(String(stateIn(body)));
  while (!bodiesOf(receiver).some(isEnd)) await receiver.until(receiver.received.length + 1);
  return bodiesOf(receiver);
}

async function verifyAll(agent: string, receiver: Receiver): Promise<VerifiedPush[]> {
  const { verifyPush } = createPushVerifier({ agent, url: `${receiver.url}/hook` });
  const pushes: VerifiedPush[] = [];
  for (const request of receiver.received) pushes.push(await verifyPush(request));
  return pushes;
}

const sequences = (receiver: Receiver): readonly number[] =>
  receiver.received.map(({ headers }) => Number(headers["x-a2a-notification-sequence"]));

describe("webhooks of one task, registered in 0.1, 0.3 and 1.0", () => {
  it("each get their own shape, in order, signed, which the official receivers accept", async () => {
    verifies("push:create-delivers", "push:at-least-once", "push:payload", "push:content-type");
    await using server = await openPushing();
    await using oldest = await openReceiver();
    await using earlier = await openReceiver();
    await using proto = await openReceiver();
    await using current = await openReceiver();
    const receivers = [oldest, earlier, proto, current];
    await call(server.url, "tasks/send", sayOldest("t1", "flight"));
    const config = (receiver: Receiver) => ({ url: `${receiver.url}/hook`, token: "t" });
    await call(server.url, "tasks/pushNotification/set", {
      id: "t1",
      pushNotificationConfig: {
        ...config(oldest),
        authentication: { schemes: ["Bearer"], credentials: "b" },
      },
    });
    const register = (speech: Speech, receiver: Receiver) =>
      ask(server.url, speech, "createTaskPushNotificationConfig", {
        taskId: "t1",
        id: `for ${speech}`,
        ...config(receiver),
        authentication: { scheme: "Bearer", credentials: "b" },
      });
    await register("0.3", earlier);
    await register("0.3-proto", proto);
    await register("1.0", current);
    for (const text of ["Tokyo", "May"]) {
      await ask(server.url, "1.0", "sendMessage", textMessage(text, { taskId: "t1" }));
    }
    for (const receiver of receivers) {
      await untilDone(receiver);
      expect(sequences(receiver)).toEqual(sequences(receiver).toSorted((a, b) => a - b));
      const ids = receiver.received.map(({ headers }) => headers["x-a2a-notification-id"]);
      expect(new Set(ids).size).toBe(ids.length);
      for (const { headers } of receiver.received) {
        expect(headers).toMatchObject({
          authorization: "Bearer b",
          "x-a2a-notification-token": "t",
        });
      }
      const verified = await verifyAll(server.url, receiver);
      expect(new Set(verified.map(({ taskId }) => taskId))).toEqual(new Set(["t1"]));
    }

    for (const body of bodiesOf(oldest)) {
      expect(body).toMatchObject({ eventType: "taskUpdate", taskId: "t1", id: "t1" });
      expect(body).toHaveProperty("sessionId");
      expect(body).not.toHaveProperty("kind");
    }
    for (const body of [...bodiesOf(earlier), ...bodiesOf(proto)]) {
      expect(body).toMatchObject({ kind: "task", id: "t1" });
      const understood = legacyPushNotificationToV1StreamResponse(body);
      expect(understood.payload).toMatchObject({ $case: "task", value: { id: "t1" } });
    }
    const names = new Set<string>();
    for (const body of bodiesOf(current)) {
      const [name = "", ...others] = Object.keys(body);
      expect(others).toEqual([]);
      names.add(name);
      expect(StreamResponse.toJSON(StreamResponse.fromJSON(body))).toMatchObject({ [name]: {} });
      expect(StreamResponse.fromJSON(body).payload?.$case).toBe(name);
    }
    expect(names).toEqual(new Set(["statusUpdate", "artifactUpdate"]));
    expect(bodiesOf(current).map(stateIn)).toContain("TASK_STATE_INPUT_REQUIRED");
    expect(new Set(current.received.map(({ headers }) => headers["content-type"]))).toEqual(
      new Set(["application/a2a+json"]),
    );
    for (const receiver of [oldest, earlier, proto]) {
      const types = receiver.received.map(({ headers }) => headers["content-type"]);
      expect(new Set(types)).toEqual(new Set(["application/json"]));
    }
  });
});

describe("a webhook that comes with a message", () => {
  it.each(["0.3", "0.3-proto", "0.3-schema", "1.0", "1.0 REST"] as const)(
    "hears of the task from its beginning, whoever waits for it, in %s",
    async (speech) => {
      verifies("send:return-immediately-push", "send:inline-push-config", "push:http-json");
      await using server = await openPushing();
      await using receiver = await openReceiver();
      const { result } = await ask(server.url, speech, "sendMessage", {
        ...textMessage("stream 3 1"),
        configuration: {
          returnImmediately: true,
          taskPushNotificationConfig: { url: `${receiver.url}/hook` },
        },
      });
      await untilDone(receiver);
      const verified = await verifyAll(server.url, receiver);
      expect(new Set(verified.map(({ taskId }) => taskId))).toEqual(new Set([result.task?.id]));
    },
  );
});

describe("a webhook that is registered over REST of 0.3, in the form of the JSON schema", () => {
  const config = (receiver: Receiver) => ({ url: `${receiver.url}/hook`, token: "t" });

  /** The names of the events, and the text of all chunks. */
  function told(bodies: readonly JsonBody[]) {
    const names = bodies.map((body) => Object.keys(body).join());
    const chunks = bodies.flatMap((body) => body.artifactUpdate?.artifact.parts ?? []);
    return { names, text: chunks.map((part: JsonBody) => part.text).join("") };
  }

  it("with its message, gets every event in the member that streams have", async () => {
    verifies("send:inline-push-config");
    await using server = await openPushing();
    await using receiver = await openReceiver();
    await ask(server.url, "0.3-schema", "sendMessage", {
      ...textMessage("stream 3 1"),
      configuration: { taskPushNotificationConfig: config(receiver) },
    });
    const bodies = await untilDone(receiver);
    const { names, text } = told(bodies);
    expect(names[0]).toBe("task");
    expect(new Set(names)).toEqual(new Set(["task", "statusUpdate", "artifactUpdate"]));
    expect(text).toBe(streamedText(3));
    expect(bodies.at(-1)).toMatchObject({
      statusUpdate: { status: { state: "completed" }, final: true },
    });
    const finals = bodies.flatMap(({ statusUpdate }) => statusUpdate?.final ?? []);
    expect(finals).toEqual([...finals.slice(1).map(() => false), true]);
    await verifyAll(server.url, receiver);
  });

  it("for a task of that form, gets its events, and one in ProtoJSON gets the task", async () => {
    await using server = await openPushing();
    await using schema = await openReceiver();
    await using proto = await openReceiver();
    for (const [speech, receiver] of [
      ["0.3-schema", schema],
      ["0.3-proto", proto],
    ] as const) {
      const { result } = await ask(server.url, speech, "sendMessage", textMessage("flight"));
      const taskId = result.task?.id ?? "";
      const request = { taskId, id: "c1", ...config(receiver) };
      await ask(server.url, speech, "createTaskPushNotificationConfig", request);
      for (const text of ["Tokyo", "May"]) {
        await ask(server.url, speech, "sendMessage", textMessage(text, { taskId }));
      }
    }
    expect((await untilDone(schema)).at(-1)).toMatchObject({
      statusUpdate: { status: { state: "completed" }, final: true },
    });
    expect((await untilDone(proto)).at(-1)).toMatchObject({
      kind: "task",
      status: { state: "completed" },
    });
  });
});

describe("a webhook with headers, as some callers of 0.3 register it", () => {
  it("is confirmed, gets its headers, and shows them to nobody", async () => {
    await using server = await openPushing();
    await using receiver = await openReceiver();
    const { result } = await ask(server.url, "0.3", "sendMessage", textMessage("flight"));
    const taskId = result.task?.id ?? "";
    const headers = { Authorization: "Bearer webhook-secret", "X-Custom-Header": "value" };
    const pushNotificationConfig = { url: receiver.url, headers };
    const set = { taskId, pushNotificationConfig };
    const confirmed = await call(server.url, "tasks/pushNotificationConfig/set", set);
    expect(confirmed.result).toMatchObject({ success: true, taskId });
    const read = await call(server.url, "tasks/pushNotificationConfig/get", { id: taskId });
    expect(read.result.pushNotificationConfig.url).toBe(receiver.url);
    expect(JSON.stringify(read)).not.toMatch(/webhook-secret|value/);
    for (const text of ["Tokyo", "May"]) {
      await ask(server.url, "0.3", "sendMessage", textMessage(text, { taskId }));
    }
    await untilDone(receiver);
    expect(receiver.received[0]?.headers).toMatchObject({
      authorization: "Bearer webhook-secret",
      "x-custom-header": "value",
    });
  });

  it("or with several schemes is authenticated by the first, and shows them all", async () => {
    await using server = await openPushing();
    await using receiver = await openReceiver();
    const { result } = await ask(server.url, "0.3", "sendMessage", textMessage("flight"));
    const taskId = result.task?.id ?? "";
    const authentication = { schemes: ["Bearer", "Basic"], credentials: "secret" };
    const pushNotificationConfig = { url: receiver.url, authentication };
    await call(server.url, "tasks/pushNotificationConfig/set", { taskId, pushNotificationConfig });
    const read = await call(server.url, "tasks/pushNotificationConfig/get", { id: taskId });
    const shown = read.result.pushNotificationConfig.authentication;
    expect(shown).toEqual({ schemes: ["Bearer", "Basic"] });
    await ask(server.url, "0.3", "sendMessage", textMessage("Tokyo", { taskId }));
    const [first] = await receiver.until(1);
    expect(first?.headers.authorization).toBe("Bearer secret");
  });
});

describe("a deleted webhook", () => {
  it("hears nothing more", async () => {
    verifies("push:delete-stops-delivery");
    await using server = await openPushing();
    await using deleted = await openReceiver();
    await using kept = await openReceiver();
    const { result } = await ask(server.url, "1.0", "sendMessage", textMessage("flight"));
    const taskId = result.task?.id ?? "";
    for (const [id, receiver] of [
      ["deleted", deleted],
      ["kept", kept],
    ] as const) {
      const config = { taskId, id, url: receiver.url };
      await ask(server.url, "1.0", "createTaskPushNotificationConfig", config);
    }
    await ask(server.url, "1.0", "sendMessage", textMessage("Tokyo", { taskId }));
    // What is on its way already cannot be called back.
    await expect.poll(() => server.push().count()).toMatchObject({ waiting: 0 });
    await call(server.url, "DeleteTaskPushNotificationConfig", { taskId, id: "deleted" });
    const before = deleted.received.length;
    expect(before).toBeGreaterThan(0);
    await ask(server.url, "1.0", "sendMessage", textMessage("May", { taskId }));
    await untilDone(kept);
    await expect.poll(() => server.push().count()).toEqual({ waiting: 0, dead: 0 });
    expect(deleted.received).toHaveLength(before);
  });
});

describe("a server that stops", () => {
  it("leaves what has not arrived to the next one over the same store", async () => {
    const refuse = { value: true };
    await using receiver = await openReceiver({
      answer: (response) => response.writeHead(refuse.value ? 503 : 204).end(),
    });
    await using folder = await openFolder();
    const store = `${folder.path}/tasks.db`;
    const first = await openPushing({ store });
    await ask(first.url, "1.0", "sendMessage", {
      ...textMessage("task hello"),
      configuration: { taskPushNotificationConfig: { url: `${receiver.url}/hook` } },
    });
    await receiver.until(1);
    await first.close();
    const tried = receiver.received.length;
    refuse.value = false;
    await using second = await openPushing({ store });
    await untilDone(receiver);
    // Signed with the same keys: the next server answers for the one before it.
    const verified = await verifyAll(second.url, receiver);
    expect(verified.length).toBeGreaterThan(tried);
  });
});

describe("what a receiver refuses for good", () => {
  it("is shown to the operator, counted, and sent again when the operator says so", async () => {
    const isGone = { value: true };
    await using receiver = await openReceiver({
      answer: (response) => response.writeHead(isGone.value ? 410 : 204).end(),
    });
    await using server = await openPushing();
    const { result } = await ask(server.url, "1.0", "sendMessage", {
      ...textMessage("task hello"),
      configuration: { taskPushNotificationConfig: { id: "c1", url: `${receiver.url}/hook` } },
    });
    await expect.poll(() => server.push().count()).toMatchObject({ waiting: 0 });
    const { dead } = await server.push().count();
    expect(dead).toBeGreaterThan(0);
    expect(receiver.received).toHaveLength(dead);
    const letters = await server.push().listDead();
    expect(letters[0]).toMatchObject({
      taskId: result.task?.id,
      configId: "c1",
      reason: expect.stringMatching(/^the receiver answered 410/),
    });
    isGone.value = false;
    expect(await server.push().redeliverAll()).toBe(dead);
    await expect.poll(() => server.push().count()).toEqual({ waiting: 0, dead: 0 });
    expect(receiver.received).toHaveLength(2 * dead);
    expect(() => server.push("/elsewhere")).toThrow("no agent is served at /elsewhere");
  });
});
