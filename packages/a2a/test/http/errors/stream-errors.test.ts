import { describe, expect, it } from "vitest";
import { A2AError } from "@parley/a2a";
import { verifies } from "../../spec/verifies.js";
import { textMessage, write } from "../../support/clients/dialect-client.js";
import type { Speech } from "../../support/clients/dialect-client.js";
import { collect, openEvents } from "../../support/clients/event-client.js";
import { jsonOf, send } from "../../support/clients/http-client.js";
import { openServer } from "../../support/servers/open-server.js";
import { createStubService, openService } from "../stub-service.js";

const streams = "text/event-stream";
const toUnknown = textMessage("hi", { taskId: "gone" });

/** What a caller says that it accepts, and whether that is a stream and nothing else. */
const accepts: readonly (readonly [accept: string | string[] | undefined, onlyStreams: boolean])[] =
  [
    [streams, true],
    ["Text/Event-Stream; charset=utf-8", true],
    [["*/*", streams], true],
    [[streams, "*/*"], true],
    ["*/*, text/event-stream", true],
    ["text/event-stream, */*;q=0.1", true],
    [undefined, false],
    ["*/*", false],
    ["application/json", false],
    ["application/json, text/event-stream", false],
    [[streams, "application/json"], false],
    ["text/event-stream, application/a2a+json;q=0.5", false],
    ["text/event-stream;q=0.5, */*", false],
    ["text/event-stream;q=0", false],
  ];

function withAccept(accept: string | string[] | undefined): Record<string, string | string[]> {
  return accept === undefined ? {} : { Accept: accept };
}

async function expectStream(url: string, speech: Speech, accept: string | string[] | undefined) {
  const request = write(speech, "sendStreamingMessage", toUnknown, withAccept(accept));
  using stream = await openEvents(url, ...request);
  expect(stream).toMatchObject({ status: 200, headers: { "content-type": streams } });
  const events = await collect(stream);
  expect(events.map(({ data }) => data.error.code)).toEqual([-32001]);
}

async function expectPlain(url: string, speech: Speech, accept: string | string[] | undefined) {
  const request = write(speech, "sendStreamingMessage", toUnknown, withAccept(accept));
  const answer = await send(url, ...request);
  expect(answer.headers["content-type"]).toBe("application/json");
  expect(jsonOf(answer).error.code).toBe(-32001);
}

describe.each(["0.3", "0.3+type"] as const)("a stream of %s that is refused", (speech) => {
  it.each(accepts)("to a caller that accepts %j is one event: %j", async (accept, onlyStreams) => {
    await using server = await openServer();
    await (onlyStreams ? expectStream : expectPlain)(server.url, speech, accept);
  });
});

describe("a stream of 1.0 that is refused", () => {
  it.each(accepts)("to a caller that accepts %j is a plain answer", async (accept) => {
    verifies("jsonrpc:content-type");
    await using server = await openServer();
    await expectPlain(server.url, "1.0", accept);
  });

  it.each(accepts)(
    "to a caller that accepts %j is one event where the operator wants it: %j",
    async (accept, onlyStreams) => {
      await using server = await openServer({ streamErrors: "events" });
      await (onlyStreams ? expectStream : expectPlain)(server.url, "1.0", accept);
    },
  );

  it("is one event also when its task is watched, or its parameters are wrong", async () => {
    await using server = await openServer({ streamErrors: "events" });
    const headers = { Accept: streams };
    for (const [operation, request, code] of [
      ["subscribeToTask", { id: "gone" }, -32001],
      ["subscribeToTask", { id: "" }, -32602],
    ] as const) {
      using stream = await openEvents(server.url, ...write("1.0", operation, request, headers));
      const [only] = await collect(stream);
      expect(only?.data.error.code).toBe(code);
    }
  });

  it.each([
    ["UNAUTHENTICATED", 401],
    ["RESOURCE_EXHAUSTED", 429],
  ] as const)("keeps its status where that says what to do: %s", async (code, status) => {
    const service = createStubService(() => {
      throw new A2AError(code, "no");
    });
    await using server = await openService(service, { streamErrors: "events" });
    const request = write("1.0", "sendStreamingMessage", toUnknown, { Accept: streams });
    const answer = await send(server.url, ...request);
    expect(answer.status).toBe(status);
    expect(answer.headers["content-type"]).toBe("application/json");
  });

  it("is told of a wrong option with what is expected", async () => {
    const wrong = { streamErrors: "event" } as unknown as { streamErrors: "events" };
    await expect(openServer(wrong)).rejects.toThrow(/streamErrors .*"json".*"events"/);
  });
});
