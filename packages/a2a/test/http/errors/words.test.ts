import { describe, expect, it } from "vitest";
import { A2AError } from "@parley/a2a";
import { isRest, textMessage, write } from "../../support/clients/dialect-client.js";
import type { Speech } from "../../support/clients/dialect-client.js";
import { collect, openEvents } from "../../support/clients/event-client.js";
import { jsonOf, rpc, send } from "../../support/clients/http-client.js";
import type { JsonBody } from "../../support/clients/http-client.js";
import { openServer } from "../../support/servers/open-server.js";
import { createStubService, openService } from "../stub-service.js";

const words = "Task not found";
const speeches: readonly Speech[] = [
  "0.1",
  "0.3",
  "0.3+type",
  "0.3-schema",
  "0.3-proto",
  "1.0",
  "1.0 REST",
];

/** The error in a body: JSON-RPC's, that of 1.0 REST, or in 0.3 REST the body itself. */
function errorIn(speech: Speech, body: JsonBody): JsonBody {
  return isRest(speech) && speech !== "1.0 REST" ? body : body.error;
}

describe("an unknown task", () => {
  it.each(speeches)("is told in the specification's words and in ours, in %s", async (speech) => {
    await using server = await openServer();
    const answer = await send(server.url, ...write(speech, "getTask", { id: "gone" }));
    const { message, data } = errorIn(speech, jsonOf(answer));
    if (speech.startsWith("1.0")) {
      expect(message).toMatch(/^Task not found: .*gone/);
      return;
    }
    expect(message).toBe(words);
    expect(data).toMatchObject({ details: expect.stringContaining("gone") as string });
  });
});

describe("a caller that has to wait", () => {
  it.each(speeches)("is told for how many whole seconds, in %s", async (speech) => {
    const details = { retryAfterSeconds: 1.2 };
    const service = createStubService(() => {
      throw new A2AError("RESOURCE_EXHAUSTED", "too many calls", { details });
    });
    await using server = await openService(service);
    const answer = await send(server.url, ...write(speech, "sendMessage", textMessage("hi")));
    expect(answer.headers["retry-after"]).toBe("2");
    if (speech.startsWith("1.0")) return;
    expect(errorIn(speech, jsonOf(answer)).data).toMatchObject({
      details: "too many calls",
      retryAfter: 2,
    });
  });
});

describe("the errors of 0.3 over JSON-RPC", () => {
  const method = ["tasks/get", { id: "gone" }] as const;
  const typed = [
    {
      "@type": "type.googleapis.com/google.rpc.ErrorInfo",
      reason: "TASK_NOT_FOUND",
      domain: "a2a-protocol.org",
      metadata: { taskId: "gone" },
    },
  ];

  it("have an object in data, which the documents and libraries of 0.3 have", async () => {
    await using server = await openServer();
    const { error } = jsonOf(await send(server.url, "POST /", rpc(...method)));
    expect(error).toMatchObject({ code: -32001, message: words });
    expect(error.data).toMatchObject({ reason: "TASK_NOT_FOUND", taskId: "gone" });
  });

  it.each(["0.3", "0.3.0"])(
    "have 1.0's list in data for a library of 1.0, which alone names version %s",
    async (version) => {
      await using server = await openServer();
      const headers = { "A2A-Version": version };
      const { error } = jsonOf(await send(server.url, "POST /", rpc(...method, headers)));
      expect(error).toMatchObject({ code: -32001, data: typed });
      expect(error.message).toMatch(/^Task not found: .*gone/);
    },
  );

  it("have 1.0's list for that library also within a stream", async () => {
    await using server = await openServer();
    const headers = { "A2A-Version": "0.3", Accept: "text/event-stream" };
    const options = rpc("tasks/resubscribe", { id: "gone" }, headers);
    using stream = await openEvents(server.url, "POST /", options);
    const [only] = await collect(stream);
    expect(only?.data).toMatchObject({ error: { code: -32001, data: typed } });
  });
});

describe("the errors of 0.3 over REST", () => {
  const refused = [
    {
      route: "GET /v1/tasks/gone",
      status: 404,
      type: "TaskNotFoundError",
      reason: "TASK_NOT_FOUND",
      name: "NOT_FOUND",
    },
    {
      route: "GET /v1/nothing",
      status: 404,
      type: "MethodNotFoundError",
      reason: "METHOD_NOT_FOUND",
      name: "UNIMPLEMENTED",
    },
    {
      route: "POST /v1/message:send",
      status: 400,
      type: "InvalidParamsError",
      reason: "INVALID_PARAMS",
      name: "INVALID_ARGUMENT",
    },
    {
      route: "DELETE /v1/card",
      status: 405,
      type: "MethodNotFoundError",
      reason: "METHOD_NOT_FOUND",
      name: "UNIMPLEMENTED",
    },
  ];

  it.each(refused)(
    "$route has its number, its type and the form of 1.0",
    async ({ route, status, type, reason, name }) => {
      await using server = await openServer();
      const options = route.startsWith("POST") ? { json: { message: {} } } : {};
      const answer = await send(server.url, route, options);
      expect(answer.status).toBe(status);
      expect(answer.headers["content-type"]).toBe("application/json");
      const body = jsonOf(answer);
      expect(body).toMatchObject({ type, error: { code: status, status: name } });
      expect(body.code).toBeLessThan(-32000);
      expect(body.error.details[0]).toMatchObject({ reason, domain: "a2a-protocol.org" });
    },
  );
});

describe("the reason of an error that JSON-RPC itself defines", () => {
  it.each([
    ["a method that is not there", rpc("Forget"), "METHOD_NOT_FOUND"],
    ["parameters that are wrong", rpc("GetTask", {}), "INVALID_PARAMS"],
    ["no request at all", { json: [] }, "INVALID_REQUEST"],
    ["no JSON at all", { body: "{" }, "PARSE_ERROR"],
  ])("is told over JSON-RPC of 1.0 for %s", async (_, options, reason) => {
    await using server = await openServer();
    const headers = { "A2A-Version": "1.0", "Content-Type": "application/json" };
    const { error } = jsonOf(await send(server.url, "POST /", { ...options, headers }));
    expect(error.data[0]).toMatchObject({ reason, domain: "a2a-protocol.org" });
  });

  it.each([
    ["GET /nothing", {}, "METHOD_NOT_FOUND", "UNIMPLEMENTED"],
    ["POST /message:send", { json: {} }, "INVALID_PARAMS", "INVALID_ARGUMENT"],
    ["GET /tasks?pageSize=0", {}, "INVALID_PARAMS", "INVALID_ARGUMENT"],
    ["POST /message:send", { body: "{" }, "PARSE_ERROR", "INVALID_ARGUMENT"],
  ])("is told over REST of 1.0 for %s", async (route, options, reason, status) => {
    await using server = await openServer();
    const { error } = jsonOf(await send(server.url, route, options));
    expect(error.status).toBe(status);
    expect(error.details[0]).toMatchObject({ reason, domain: "a2a-protocol.org" });
  });

  it("is told where a page of no tasks is asked for: only gRPC cannot tell 0 from none", async () => {
    await using server = await openServer();
    const { error } = jsonOf(await send(server.url, "POST /", rpc("ListTasks", { pageSize: 0 })));
    expect(error).toMatchObject({ code: -32602, data: [{ reason: "INVALID_PARAMS" }, {}] });
  });
});
