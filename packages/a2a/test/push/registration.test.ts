import { describe, expect, it } from "vitest";
import { codecs } from "@parley/a2a/wire";
import { ask, dialectOf, isRest, textMessage, write } from "../support/clients/dialect-client.js";
import type { Speech } from "../support/clients/dialect-client.js";
import { call, jsonOf, sayOldest, send } from "../support/clients/http-client.js";
import type { Answer } from "../support/clients/http-client.js";
import { openServer } from "../support/servers/open-server.js";
import { verifies } from "../spec/verifies.js";
import { openReceiver } from "../support/servers/open-receiver.js";

const speeches: readonly Speech[] = [
  "0.3",
  "0.3+type",
  "0.3-proto",
  "0.3-schema",
  "1.0",
  "1.0 REST",
];

function errorIn(speech: Speech, answer: Answer) {
  const codec = codecs[dialectOf(speech)];
  return isRest(speech)
    ? codec.decodeHttpError(answer.status, jsonOf(answer))
    : codec.decodeJsonRpcError(jsonOf(answer).error);
}

async function openTask(url: string): Promise<string> {
  const { result } = await ask(url, "1.0", "sendMessage", textMessage("flight"));
  return result.task?.id ?? expect.fail("expected a task");
}

describe.each(speeches)("a webhook on this machine, in %s", (speech) => {
  it("is refused, naming the field, and nothing is kept or called", async () => {
    verifies("push:private-addresses", "push:local-addresses");
    await using receiver = await openReceiver();
    await using server = await openServer();
    const taskId = await openTask(server.url);
    for (const url of [receiver.url, `https://localhost:${receiver.port}/`, "https://[::1]/"]) {
      const config = { taskId, id: "c1", url };
      const answer = await send(
        server.url,
        ...write(speech, "createTaskPushNotificationConfig", config),
      );
      expect(errorIn(speech, answer)).toMatchObject({
        code: "INVALID_PARAMS",
        message: expect.stringMatching(
          /^(?:pushNotificationConfig\.)?url: this webhook is not allowed: /,
        ),
      });
    }
    const listed = await ask(server.url, "1.0", "listTaskPushNotificationConfigs", { taskId });
    expect(listed.result.configs ?? []).toEqual([]);
    expect(receiver.connections).toBe(0);
  });

  it("is refused inside a message, and no task is made", async () => {
    await using receiver = await openReceiver();
    await using server = await openServer();
    const request = {
      ...textMessage("flight"),
      configuration: { taskPushNotificationConfig: { id: "c1", url: receiver.url } },
    };
    for (const operation of ["sendMessage", "sendStreamingMessage"] as const) {
      const answer = await send(server.url, ...write(speech, operation, request));
      expect(errorIn(speech, answer)).toMatchObject({
        code: "INVALID_PARAMS",
        message: expect.stringMatching(/url: this webhook is not allowed: /),
      });
    }
    const { result } = await ask(server.url, "1.0", "listTasks", {});
    expect(result.totalSize).toBe(0);
    expect(receiver.connections).toBe(0);
  });
});

describe("a webhook on this machine, in 0.1", () => {
  it("is refused, naming the field", async () => {
    await using receiver = await openReceiver();
    await using server = await openServer();
    await call(server.url, "tasks/send", sayOldest("t1", "flight"));
    const config = { id: "t1", pushNotificationConfig: { url: receiver.url } };
    const { error } = await call(server.url, "tasks/pushNotification/set", config);
    expect(error).toMatchObject({ code: -32602 });
    expect(JSON.stringify(error)).toContain("url: this webhook is not allowed");
    const inline = { ...sayOldest("t2", "flight"), pushNotification: { url: receiver.url } };
    const answer = await call(server.url, "tasks/send", inline);
    expect(answer.error).toMatchObject({ code: -32602 });
    const missing = await call(server.url, "tasks/get", { id: "t2" });
    expect(missing.error).toMatchObject({ code: -32001 });
    expect(receiver.connections).toBe(0);
  });
});

describe("a server that opens private networks", () => {
  it("takes a webhook on this machine", async () => {
    await using receiver = await openReceiver();
    await using server = await openServer({
      push: { allowPrivate: ["127.0.0.0/8"], schemes: ["http"] },
    });
    const taskId = await openTask(server.url);
    const config = { taskId, url: receiver.url };
    const made = await ask(server.url, "1.0", "createTaskPushNotificationConfig", config);
    expect(made.result.url).toBe(receiver.url);
  });

  it("asks a receiver first where that is wanted", async () => {
    await using willing = await openReceiver({
      answer: (response, { path }) =>
        response.end(new URL(path, "http://x").searchParams.get("validationToken")),
    });
    await using other = await openReceiver();
    await using server = await openServer({
      push: { allowPrivate: ["127.0.0.0/8"], schemes: ["http"], challenge: true },
    });
    const taskId = await openTask(server.url);
    await ask(server.url, "1.0", "createTaskPushNotificationConfig", { taskId, url: willing.url });
    const refused = { taskId, url: other.url };
    const answer = await send(
      server.url,
      ...write("1.0", "createTaskPushNotificationConfig", refused),
    );
    expect(errorIn("1.0", answer)).toMatchObject({
      code: "INVALID_PARAMS",
      message: "url: the receiver did not answer the validation challenge",
    });
  });
});
