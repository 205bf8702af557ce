import { describe, expect, it } from "vitest";
import type { ErrorCode, Operation, RequestOf } from "@parley/a2a";
import { agent } from "@parley/a2a/server";
import { codecs } from "@parley/a2a/wire";
import { verifies } from "../spec/verifies.js";
import { ask, dialectOf, isRest, textMessage, write } from "../support/clients/dialect-client.js";
import type { Speech } from "../support/clients/dialect-client.js";
import { call, jsonOf, say, send } from "../support/clients/http-client.js";
import { openServer } from "../support/servers/open-server.js";

const current = ["1.0", "1.0 REST"] as const;
const all = ["0.3", "0.3-proto", "0.3-schema", ...current] as const;

/** What a server says to an operation, in the model's own words. */
async function refusal<O extends Operation>(
  url: string,
  speech: Speech,
  operation: O,
  request: RequestOf<O>,
): Promise<ErrorCode> {
  const answer = await send(url, ...write(speech, operation, request));
  const codec = codecs[dialectOf(speech)];
  const isStream = answer.headers["content-type"] === "text/event-stream";
  const body = jsonOf({ text: isStream ? answer.text.replace("data: ", "") : answer.text });
  return isRest(speech)
    ? codec.decodeHttpError(answer.status, body).code
    : codec.decodeJsonRpcError(body.error).code;
}

const config = { taskId: "none", url: "https://client.example/hook" };
const ofUnknownTask: readonly (readonly [Operation, object])[] = [
  ["getTask", { id: "none" }],
  ["cancelTask", { id: "none" }],
  ["subscribeToTask", { id: "none" }],
  ["sendMessage", textMessage("hi", { taskId: "none" })],
  ["sendStreamingMessage", textMessage("hi", { taskId: "none" })],
  ["createTaskPushNotificationConfig", config],
  ["getTaskPushNotificationConfig", { taskId: "none", id: "c" }],
  ["listTaskPushNotificationConfigs", { taskId: "none" }],
  ["deleteTaskPushNotificationConfig", { taskId: "none", id: "c" }],
];

describe("an operation on a task that does not exist", () => {
  it.each(
    ofUnknownTask.flatMap(([operation, request]) =>
      all.map((speech) => ({ operation, request, speech })),
    ),
  )("is $operation in $speech", async ({ operation, request, speech }) => {
    verifies(
      "get:unknown-task",
      "cancel:unknown-task",
      "subscribe:unknown-task",
      "send:unknown-task-id",
      "stream:unknown-task-id",
      "push:create-unknown-task",
      "push:list-unknown-task",
      "push:delete-unknown-task",
      "error:not-found",
    );
    await using server = await openServer();
    const code = await refusal(server.url, speech, operation, request as never);
    expect(code).toBe("TASK_NOT_FOUND");
  });
});

describe("an operation on a task that has ended", () => {
  it.each(all)("is refused in %s", async (speech) => {
    verifies(
      "send:terminal-task",
      "stream:terminal-task",
      "cancel:not-cancelable",
      "task:terminal-immutable",
    );
    await using server = await openServer();
    const { result } = await ask(server.url, speech, "sendMessage", textMessage("task x"));
    const id = result.task?.id ?? "";
    const more = textMessage("more", { taskId: id });
    expect(await refusal(server.url, speech, "sendMessage", more)).toBe("UNSUPPORTED_OPERATION");
    expect(await refusal(server.url, speech, "sendStreamingMessage", more)).toBe(
      "UNSUPPORTED_OPERATION",
    );
    expect(await refusal(server.url, speech, "cancelTask", { id })).toBe("TASK_NOT_CANCELABLE");
    const { result: same } = await ask(server.url, speech, "getTask", { id });
    expect(same).toEqual(result.task);
  });

  it.each(current)("cannot be watched in %s", async (speech) => {
    verifies("subscribe:terminal-task");
    await using server = await openServer();
    const { result } = await ask(server.url, speech, "sendMessage", textMessage("task x"));
    const request = { id: result.task?.id ?? "" };
    expect(await refusal(server.url, speech, "subscribeToTask", request)).toBe(
      "UNSUPPORTED_OPERATION",
    );
  });
});

describe("an agent without push notifications", () => {
  const mute = agent({ name: "Mute", description: "…", run: () => "hi" });
  const inline = {
    ...textMessage("hi"),
    configuration: { taskPushNotificationConfig: { url: config.url } },
  };

  it.each(
    [
      ...ofUnknownTask.filter(([operation]) => operation.includes("PushNotification")),
      ["sendMessage", inline],
      ["sendStreamingMessage", inline],
    ].flatMap(([operation, request]) => all.map((speech) => ({ operation, request, speech }))),
  )("refuses $operation in $speech", async ({ operation, request, speech }) => {
    verifies("push:capability", "push:inline-capability");
    await using server = await openServer({ agent: mute });
    const code = await refusal(server.url, speech, operation as Operation, request as never);
    expect(code).toBe("PUSH_NOTIFICATION_NOT_SUPPORTED");
  });
});

describe("a message that names what does not fit together", () => {
  it.each(all)("is refused in %s before anything is written", async (speech) => {
    verifies("context:mismatch", "context:rejected");
    await using server = await openServer();
    const { result } = await ask(server.url, speech, "sendMessage", textMessage("flight"));
    const id = result.task?.id ?? "";
    const foreign = textMessage("Tokyo", { taskId: id, contextId: "another" });
    expect(await refusal(server.url, speech, "sendMessage", foreign)).toBe("INVALID_PARAMS");
    const { result: same } = await ask(server.url, speech, "getTask", { id });
    expect(same).toEqual(result.task);
  });
});

/** Parameters that are wrong, and the field that is to blame. */
const invalid: readonly (readonly [method: string, params: unknown, field: string])[] = [
  ["SendMessage", {}, "message"],
  ["SendMessage", { message: "hi" }, "message"],
  ["SendMessage", { message: { role: "ROLE_USER", parts: [{ text: "x" }] } }, "message.messageId"],
  [
    "SendMessage",
    { message: { messageId: "", role: "ROLE_USER", parts: [{ text: "x" }] } },
    "message.messageId",
  ],
  ["SendMessage", { message: { messageId: "m", parts: [{ text: "x" }] } }, "message.role"],
  ["SendMessage", say("x", { messageId: "m1", role: "hacker" }), "message.role"],
  ["SendMessage", say("x", { messageId: "m2", parts: [] }), "message.parts"],
  ["SendMessage", say("x", { messageId: "m3", parts: [{}] }), "message.parts[0]"],
  [
    "SendMessage",
    say("x", { messageId: "m4", parts: [{ text: "x", url: "https://x" }] }),
    "message.parts[0]",
  ],
  ["SendMessage", say("x", { messageId: "m5", parts: [{ text: {} }] }), "message.parts[0].text"],
  ["SendMessage", say("x", { messageId: "m6", parts: [{ raw: "!" }] }), "message.parts[0].raw"],
  [
    "SendMessage",
    say("x", { messageId: "m7" }, { historyLength: -1 }),
    "configuration.historyLength",
  ],
  ["GetTask", {}, "id"],
  ["GetTask", { id: 3 }, "id"],
  ["GetTask", { id: "t", historyLength: "many" }, "historyLength"],
  ["ListTasks", { pageSize: 0 }, "pageSize"],
  ["ListTasks", { pageSize: 101 }, "pageSize"],
  ["ListTasks", { status: "running" }, "status"],
  ["ListTasks", { statusTimestampAfter: "yesterday" }, "statusTimestampAfter"],
  ["CancelTask", { id: null }, "id"],
  ["CreateTaskPushNotificationConfig", { taskId: "t" }, "url"],
];

it.each(invalid)("%s of %j blames %s", async (method, params, field) => {
  verifies("error:actionable", "error:well-known-details", "error:valid-values");
  verifies("error:validate-input", "jsonrpc:invalid-params", "jsonrpc:bad-request");
  await using server = await openServer();
  const { error } = await call(server.url, method, params);
  expect(error.code).toBe(-32602);
  expect(error.message).toContain(field);
  const violations = error.data.find((one: { "@type": string }) =>
    one["@type"].endsWith("BadRequest"),
  );
  expect(violations.fieldViolations[0].field).toBe(field);
  const { result } = await call(server.url, "ListTasks", {});
  expect(result.totalSize).toBe(0);
});
