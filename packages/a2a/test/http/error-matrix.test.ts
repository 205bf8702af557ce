import { describe, expect, it } from "vitest";
import { A2AError } from "@parley/a2a";
import type { ErrorCode, StreamEvent } from "@parley/a2a";
import { codecs } from "@parley/a2a/wire";
import { verifies } from "../spec/verifies.js";
import { dialectOf, isRest, textMessage, write } from "../support/clients/dialect-client.js";
import type { Speech } from "../support/clients/dialect-client.js";
import { collect, openEvents } from "../support/clients/event-client.js";
import { jsonOf, send } from "../support/clients/http-client.js";
import type { Answer, JsonBody } from "../support/clients/http-client.js";
import { createStubService, openService } from "./stub-service.js";
import { errorCodes } from "../../src/protocol/internal.js";

/** The statuses of REST, and those of JSON-RPC where the body alone does not do. */
const statuses: Readonly<Record<ErrorCode, readonly [rest: number, jsonRpc: number]>> = {
  TASK_NOT_FOUND: [404, 200],
  TASK_NOT_CANCELABLE: [400, 200],
  PUSH_NOTIFICATION_NOT_SUPPORTED: [400, 200],
  UNSUPPORTED_OPERATION: [400, 200],
  CONTENT_TYPE_NOT_SUPPORTED: [400, 200],
  INVALID_AGENT_RESPONSE: [500, 200],
  EXTENDED_AGENT_CARD_NOT_CONFIGURED: [400, 200],
  EXTENSION_SUPPORT_REQUIRED: [400, 200],
  VERSION_NOT_SUPPORTED: [400, 200],
  PARSE_ERROR: [400, 200],
  INVALID_REQUEST: [400, 200],
  METHOD_NOT_FOUND: [404, 200],
  INVALID_PARAMS: [400, 200],
  REQUEST_TOO_LARGE: [413, 413],
  UNAUTHENTICATED: [401, 401],
  PERMISSION_DENIED: [403, 403],
  RESOURCE_EXHAUSTED: [429, 429],
  CONCURRENT_MODIFICATION: [409, 200],
  UNAVAILABLE: [503, 503],
  INTERNAL: [500, 200],
};

const speeches: readonly Speech[] = [
  "0.1",
  "0.3",
  "0.3+type",
  "0.3-schema",
  "0.3-proto",
  "1.0",
  "1.0 REST",
];

const cells = errorCodes.flatMap((code) => speeches.map((speech) => ({ code, speech })));

const secret = "postgres://admin:hunter2@db";

function fail(code: ErrorCode): never {
  throw new A2AError(code, code === "INTERNAL" ? "Internal error" : `about ${code}`, {
    details: { metadata: { taskId: "t1" }, retryAfterSeconds: 2 },
    cause: new Error(secret),
  });
}

const get = { id: "t1" };
const firstEvent: StreamEvent = {
  response: { task: { id: "t1", contextId: "c1", status: { state: "TASK_STATE_WORKING" } } },
  sequence: 7,
};

describe("every error in every dialect", () => {
  it.each(cells)("answers $code in $speech", async ({ code, speech }) => {
    verifies("error:appropriate", "error:temporary");
    verifies("binding:same-errors", "error:native-form", "error:code-and-message");
    verifies("jsonrpc:content-type");
    await using server = await openService(
      createStubService(() => fail(code)),
      { reportFailure: () => undefined },
    );
    const answer = await send(server.url, ...write(speech, "sendMessage", textMessage("hi")));
    const [rest, jsonRpc] = statuses[code];
    expect(answer.status).toBe(isRest(speech) ? rest : jsonRpc);
    expect(answer.headers["content-type"]).toBe(
      speech === "1.0 REST" ? "application/a2a+json" : "application/json",
    );
    expect(answer.headers["retry-after"]).toBe("2");
    expect(answer.headers["www-authenticate"]).toBe(
      code === "UNAUTHENTICATED" ? "Bearer" : undefined,
    );
    expectError(answer, speech, code);
  });

  it.each(cells)("refuses a stream with $code in $speech", async ({ code, speech }) => {
    await using server = await openService(
      createStubService(() => fail(code)),
      { reportFailure: () => undefined },
    );
    const answer = await send(
      server.url,
      ...write(speech, "sendStreamingMessage", textMessage("hi")),
    );
    const [rest, jsonRpc] = statuses[code];
    const isHttpError = isRest(speech) || speech === "0.1";
    expect(answer.status).toBe(isHttpError ? rest : jsonRpc);
    expect(answer.headers["content-type"]).toMatch(/json$/);
    expectError(answer, speech, code);
  });

  it.each(cells)("ends a stream with $code in $speech", async ({ code, speech }) => {
    await using server = await openService(
      createStubService(() => fail(code), [firstEvent]),
      { reportFailure: () => undefined },
    );
    using stream = await openEvents(
      server.url,
      ...write(speech, "sendStreamingMessage", textMessage("hi")),
    );
    const events = await collect(stream);
    expect(events).toHaveLength(2);
    expect(events[0]?.id).toBe("7");
    expect(events[1]).not.toHaveProperty("id");
    const { status } = codecs[dialectOf(speech)].encodeHttpError(new A2AError(code, ""));
    expectErrorBody(events[1]?.data, speech, { code, status });
  });
});

describe("a resubscription before 1.0 that is refused", () => {
  it.each(["0.1", "0.3", "0.3+type"] as const)("is an event stream in %s", async (speech) => {
    await using server = await openService(createStubService(() => fail("TASK_NOT_FOUND")));
    using stream = await openEvents(server.url, ...write(speech, "subscribeToTask", get));
    expect(stream).toMatchObject({
      status: 200,
      headers: { "content-type": "text/event-stream" },
    });
    const [only, ...others] = await collect(stream);
    expect(others).toEqual([]);
    expect(only).not.toHaveProperty("id");
    expectErrorBody(only?.data, speech, { code: "TASK_NOT_FOUND", status: 404 });
  });

  it.each(["1.0", "1.0 REST", "0.3-proto"] as const)("is a plain answer in %s", async (speech) => {
    await using server = await openService(createStubService(() => fail("TASK_NOT_FOUND")));
    const answer = await send(server.url, ...write(speech, "subscribeToTask", get));
    expect(answer.status).toBe(isRest(speech) ? 404 : 200);
    expectError(answer, speech, "TASK_NOT_FOUND");
  });
});

describe("what a service throws by mistake", () => {
  it.each(speeches)("is told to the operator and not to a caller of %s", async (speech) => {
    verifies("error:system-logged");
    verifies("jsonrpc:internal-error");
    const reported: unknown[] = [];
    await using server = await openService(
      createStubService(() => {
        throw new TypeError(secret);
      }, []),
      { reportFailure: (error) => reported.push(error) },
    );
    const answer = await send(server.url, ...write(speech, "getTask", get));
    expect(answer.status).toBe(isRest(speech) ? 500 : 200);
    expect(answer.text).not.toMatch(/hunter2|TypeError|\.ts|\.js|stack/);
    expectError(answer, speech, "INTERNAL");
    expect(reported).toEqual([new TypeError(secret)]);
  });
});

function expectError(answer: Answer, speech: Speech, code: ErrorCode): void {
  expect(answer.text).not.toContain("hunter2");
  expectErrorBody(jsonOf(answer), speech, { code, status: answer.status });
}

/** What the numbers and texts are is written down by the tests of the wire. */
function expectErrorBody(
  body: JsonBody,
  speech: Speech,
  { code, status }: { readonly code: ErrorCode; readonly status: number },
): void {
  const codec = codecs[dialectOf(speech)];
  if (isRest(speech)) {
    expect(codec.decodeHttpError(status, body).code).toBe(code);
    if (speech === "1.0 REST") expect(body.error.code).toBe(status);
    return;
  }
  expect(Object.keys(body)).toEqual(["jsonrpc", "id", "error"]);
  expect(body.id).toBe(1);
  expect(body.error.code).toBe(codec.encodeJsonRpcError(new A2AError(code, "")).code);
  expect(codec.decodeJsonRpcError(body.error).code).toBe(code);
}
