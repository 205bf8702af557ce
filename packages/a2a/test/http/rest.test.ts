import { describe, expect, it } from "vitest";
import { verifies } from "../spec/verifies.js";
import { call, jsonOf, say, sayEarlier, send } from "../support/clients/http-client.js";
import type { JsonBody, SendOptions } from "../support/clients/http-client.js";
import { collect, openEvents } from "../support/clients/event-client.js";
import { openServer } from "../support/servers/open-server.js";

const hook = "https://client.example/hook";

/** A task that waits for its caller, made over JSON-RPC, and a webhook of it. */
async function openTask(url: string): Promise<string> {
  const { result } = await call(url, "SendMessage", say("flight"));
  const { id } = result.task;
  await call(url, "CreateTaskPushNotificationConfig", { taskId: id, id: "c1", url: hook });
  return id;
}

interface Route {
  readonly route: string;
  readonly options?: SendOptions;
  readonly status?: number;
  readonly shows: (body: JsonBody, taskId: string) => void;
}

const state10 = (body: JsonBody) => body.status.state;
const showsWaiting = (body: JsonBody, id: string) =>
  expect([body.id, state10(body)]).toEqual([id, "TASK_STATE_INPUT_REQUIRED"]);
const showsCanceled = (body: JsonBody) => expect(state10(body)).toBe("TASK_STATE_CANCELED");
const showsCancelled = (body: JsonBody) => expect(state10(body)).toBe("TASK_STATE_CANCELLED");
const showsConfig = (body: JsonBody, id: string) =>
  expect(body).toMatchObject({ taskId: id, url: hook });
const showsNamed = (body: JsonBody, id: string) =>
  expect(body.name).toMatch(new RegExp(`^tasks/${id}/pushNotificationConfigs/`));
const showsNothing = (body: JsonBody) => expect(body).toBeUndefined();
const showsEmpty = (body: JsonBody) => expect(body).toEqual({});

/** Every path and alias, with the task's id in place of {id}. */
const routes: readonly Route[] = [
  { route: "GET /tasks/{id}", shows: showsWaiting },
  {
    route: "GET /tasks/{id}?historyLength=0",
    shows: (body) => expect(body.history).toBeUndefined(),
  },
  {
    route: "GET /tasks/{id}?history_length=1",
    shows: (body) => expect(body.history).toHaveLength(1),
  },
  { route: "GET /tasks", shows: (body) => expect(body.totalSize).toBe(1) },
  {
    route: "GET /tasks?status=TASK_STATE_COMPLETED",
    shows: (body) => expect(body.tasks).toEqual([]),
  },
  {
    route: "POST /tasks/list",
    options: { json: { pageSize: 1 } },
    shows: (body) => expect(body.pageSize).toBe(1),
  },
  { route: "POST /tasks/{id}:cancel", shows: showsCanceled },
  { route: "POST /tasks/{id}:cancel", options: { body: "null" }, shows: showsCanceled },
  { route: "POST /tasks/{id}:cancel", options: { json: {} }, shows: showsCanceled },
  {
    route: "POST /tasks/{id}:cancel",
    options: { json: { metadata: { why: 1 } } },
    shows: showsCanceled,
  },
  {
    route: "POST /tasks/{id}/pushNotificationConfigs",
    options: { json: { url: hook } },
    shows: showsConfig,
  },
  { route: "GET /tasks/{id}/pushNotificationConfigs/c1", shows: showsConfig },
  {
    route: "GET /tasks/{id}/pushNotificationConfigs",
    shows: (body, id) => showsConfig(body.configs[0], id),
  },
  { route: "DELETE /tasks/{id}/pushNotificationConfigs/c1", shows: showsEmpty },
  { route: "DELETE /tasks/{id}/pushNotificationConfigs/none", shows: showsEmpty },
  {
    route: "POST /message:send",
    options: { json: say("echo hi") },
    shows: (body) => expect(body.message.parts).toEqual([{ text: "hi" }]),
  },
  {
    route: "POST /message:send",
    options: { json: say("task hi") },
    shows: (body) => expect(body.task.status.state).toBe("TASK_STATE_COMPLETED"),
  },
  { route: "GET /v1/tasks/{id}", shows: showsWaiting },
  {
    route: "GET /v1/tasks/{id}?history_length=1",
    shows: (body) => expect(body.history).toHaveLength(1),
  },
  { route: "GET /v1/tasks", shows: (body) => expect(body).toHaveLength(1) },
  { route: "POST /v1/tasks/{id}:cancel", shows: showsCancelled },
  { route: "POST /v1/tasks/{id}:cancel", options: { body: "null" }, shows: showsCancelled },
  {
    route: "POST /v1/tasks/{id}:cancel",
    options: { json: { name: "tasks/{id}" } },
    shows: showsCancelled,
  },
  ...[
    "/v1/tasks/{id}/pushNotificationConfigs",
    "/v1/tasks/{id}/pushNotifications",
    "/v1/task/{id}/pushNotificationConfigs",
    "/v1/task/{id}/pushNotifications",
  ].flatMap((path): Route[] => [
    {
      route: `POST ${path}`,
      options: { json: { config: { pushNotificationConfig: { url: hook } } } },
      shows: showsNamed,
    },
    {
      route: `POST ${path}`,
      options: { json: { pushNotificationConfig: { url: hook } } },
      shows: showsNamed,
    },
    { route: `GET ${path}/c1`, shows: showsNamed },
    { route: `GET ${path}`, shows: (body, id) => showsNamed(body.configs[0], id) },
    { route: `DELETE ${path}/c1`, status: 204, shows: showsNothing },
  ]),
  {
    route: "POST /v1/message:send",
    options: { json: sayEarlier("echo hi") },
    shows: (body) => expect(body.message).toMatchObject({ kind: "message", role: "agent" }),
  },
  {
    route: "POST /v1//message:send",
    options: { json: sayEarlier("echo hi") },
    shows: (body) => expect(body.message.kind).toBe("message"),
  },
  {
    route: "POST /v1/message:send",
    options: {
      json: { message: { messageId: "m", role: "ROLE_USER", content: [{ text: "echo hi" }] } },
    },
    shows: (body) =>
      expect(body.message).toMatchObject({ role: "ROLE_AGENT", content: [{ text: "hi" }] }),
  },
  {
    route: "POST /v1/message:send",
    options: {
      json: { request: { messageId: "m", role: "ROLE_USER", content: [{ text: "echo hi" }] } },
    },
    shows: (body) =>
      expect(body.message).toMatchObject({ role: "ROLE_AGENT", content: [{ text: "hi" }] }),
  },
];

describe("every path of REST, and every alias that was ever printed", () => {
  it.each(routes)("$route with $options", async ({ route, options, status = 200, shows }) => {
    verifies("rest:content-type");
    verifies(
      "rest:send",
      "rest:get",
      "rest:list",
      "rest:cancel",
      "rest:push",
      "rest:body-form",
      "binding:core-operations",
      "binding:same-operations",
    );
    await using server = await openServer();
    const id = await openTask(server.url);
    const answer = await send(server.url, route.replace("{id}", id), options);
    expect(answer.status).toBe(status);
    const isCurrent = !route.includes("/v1/");
    const type = isCurrent ? "application/a2a+json" : "application/json";
    expect(answer.headers["content-type"]).toBe(status === 204 ? undefined : type);
    shows(answer.text === "" ? undefined : jsonOf(answer), id);
  });
});

const subscriptions = ["/tasks/{id}:subscribe", "/v1/tasks/{id}:subscribe"].flatMap((path) => [
  { route: `GET ${path}`, options: {} },
  { route: `POST ${path}`, options: {} },
  {
    route: `POST ${path}`,
    options: { body: "null", headers: { "Content-Type": "application/json" } },
  },
  { route: `POST ${path}`, options: { json: {} } },
]);

describe("a subscription", () => {
  it.each(subscriptions)("is opened by $route with $options", async ({ route, options }) => {
    verifies("rest:subscribe", "rest:stream-frames", "subscribe:snapshot-first");
    await using server = await openServer();
    const id = await openTask(server.url);
    using stream = await openEvents(server.url, route.replace("{id}", id), options);
    expect(stream).toMatchObject({ status: 200, headers: { "content-type": "text/event-stream" } });
    await call(server.url, "CancelTask", { id });
    const [first, ...more] = await collect(stream);
    expect(first?.data.task).toMatchObject({ id, status: { state: "TASK_STATE_INPUT_REQUIRED" } });
    expect(more.at(-1)?.data.statusUpdate.status.state).toMatch(/^TASK_STATE_CANCELL?ED$/);
  });

  it.each(["POST /message:stream", "POST /v1/message:stream"])(
    "of a message is %s",
    async (route) => {
      verifies("rest:stream", "stream:established", "stream:task-first", "stream:one-payload");
      await using server = await openServer();
      const json = route.includes("v1") ? sayEarlier("stream 3 0") : say("stream 3 0");
      using stream = await openEvents(server.url, route, { json });
      const kinds = (await collect(stream)).map(({ data }) => Object.keys(data));
      expect(kinds).toEqual([
        ["task"],
        ["statusUpdate"],
        ["artifactUpdate"],
        ["artifactUpdate"],
        ["artifactUpdate"],
        ["statusUpdate"],
      ]);
    },
  );
});

describe("ids in a path", () => {
  it.each(["a b", "a/b", "a:b", "a:cancel", "ä%", "a?b#c", "..", "%2F", "tasks"])(
    "may be %j",
    async (id) => {
      await using server = await openServer();
      const params = { id, message: { role: "user", parts: [{ type: "text", text: "flight" }] } };
      await call(server.url, "tasks/send", params);
      const path = `/tasks/${encodeURIComponent(id).replaceAll(".", "%2E")}`;
      expect(jsonOf(await send(server.url, `GET ${path}`)).id).toBe(id);
      const canceled = jsonOf(await send(server.url, `POST ${path}:cancel`));
      expect(canceled).toMatchObject({ id, status: { state: "TASK_STATE_CANCELED" } });
    },
  );
});

describe("a path that does not take the method", () => {
  it.each([
    ["PUT /tasks", "GET"],
    ["GET /message:send", "POST"],
    ["DELETE /tasks/t1", "GET"],
    ["DELETE /tasks/t1:subscribe", "GET, POST"],
    ["PATCH /tasks/t1/pushNotificationConfigs", "GET, POST"],
    ["POST /tasks/t1/pushNotificationConfigs/c1", "DELETE, GET"],
    ["POST /extendedAgentCard", "GET"],
    ["GET /acme/message:stream", "POST"],
    ["PUT /v1/tasks/t1", "GET"],
    ["GET /v1/message:send", "POST"],
    ["POST /v1/card", "GET"],
    ["POST /.well-known/agent-card.json", "GET, HEAD"],
    ["DELETE /", "GET, HEAD, POST"],
  ])("answers %s with 405 and what it allows", async (route, allowed) => {
    verifies("rest:error-code");
    await using server = await openServer();
    const answer = await send(server.url, route, { json: { some: "body" } });
    expect([answer.status, answer.headers.allow]).toEqual([405, allowed]);
    if (answer.headers["content-type"] === "application/a2a+json") {
      expect(jsonOf(answer).error.code).toBe(405);
    }
  });
});

describe("the media type of a body", () => {
  it.each([
    "application/json",
    "application/a2a+json",
    "application/json; charset=utf-8",
    "Application/A2A+JSON;version=1",
    "application/vnd.any+json",
  ])("may be %s", async (type) => {
    await using server = await openServer();
    const options = { headers: { "Content-Type": type }, body: JSON.stringify(say("echo hi")) };
    expect((await send(server.url, "POST /message:send", options)).status).toBe(200);
  });

  it.each([
    "text/plain",
    "application/xml",
    "multipart/form-data; boundary=x",
    "json",
    "",
    "application/jsonp",
  ])("may not be %j", async (type) => {
    verifies("rest:error-info");
    await using server = await openServer();
    const options = { headers: { "Content-Type": type }, body: JSON.stringify(say("echo hi")) };
    const answer = await send(server.url, "POST /message:send", options);
    expect(answer.status).toBe(400);
    expect(jsonOf(answer).error.details[0].reason).toBe("CONTENT_TYPE_NOT_SUPPORTED");
    const overJsonRpc = await send(server.url, "POST /", options);
    expect(jsonOf(overJsonRpc).error.code).toBe(-32005);
  });
});

it.each(["POST /message:send", "POST /message:stream"])(
  "%s speaks UTF-8 both ways",
  async (route) => {
    verifies("json:utf-8");
    await using server = await openServer();
    const words = "Žluťoučký kůň 🐎 \u2028 \u0000 ﷽";
    const { text } = await send(server.url, route, { json: say(`echo ${words}`) });
    expect(jsonOf({ text: text.replace("data: ", "") }).message.parts).toEqual([{ text: words }]);
  },
);
