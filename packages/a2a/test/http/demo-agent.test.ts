import { describe, expect, it } from "vitest";
import { createGrpcTransport } from "@parley/a2a/grpc";
import { ask, readResult, textMessage } from "../support/clients/dialect-client.js";
import { addressOf } from "../support/servers/open-served.js";
import { call, jsonOf, say, sayOldest, send } from "../support/clients/http-client.js";
import type { JsonBody } from "../support/clients/http-client.js";
import { openServer } from "../support/servers/open-server.js";

function completed(...parts: readonly object[]): object {
  return {
    task: {
      status: { state: "TASK_STATE_COMPLETED" },
      artifacts: [{ parts }],
    },
  };
}

const chunks = (count: number): readonly object[] =>
  Array.from({ length: count }, (_, index) => ({ text: `chunk ${index + 1} ` }));

describe("the demo agent", () => {
  it.each<readonly [string, object]>([
    ["echo hi  there", { message: { parts: [{ text: "hi  there" }] } }],
    ["ECHO hi", { message: { parts: [{ text: "hi" }] } }],
    ["task write it", completed({ text: "write it" })],
    [
      "both write it",
      {
        task: {
          status: { state: "TASK_STATE_COMPLETED", message: { parts: [{ text: "write it" }] } },
          artifacts: [{ parts: [{ text: "write it" }] }],
        },
      },
    ],
    [
      "page 1 < 2",
      { message: { parts: [{ text: "<h1>1 &#60; 2</h1>", mediaType: "text/html" }] } },
    ],
    ["stream 3 0", completed(...chunks(3))],
    ["stream", completed(...chunks(10))],
    ["wait 0", completed({ text: "Done waiting." })],
    ["wait", completed({ text: "Done waiting." })],
    ["flight", { task: { status: { state: "TASK_STATE_INPUT_REQUIRED" } } }],
    ["fail", { task: { status: { state: "TASK_STATE_FAILED" } } }],
    ["reject", { task: { status: { state: "TASK_STATE_REJECTED" } } }],
    ["auth", { task: { status: { state: "TASK_STATE_AUTH_REQUIRED" } } }],
    ["file", completed({ filename: "report.csv", mediaType: "text/csv" })],
    ["", { message: { parts: [{ text: expect.stringContaining("Send one of these") }] } }],
    ["constructor", { message: { parts: [{ text: expect.stringContaining("echo hello") }] } }],
  ])("answers %j", async (text, expected) => {
    await using server = await openServer();
    const { result } = await call(server.url, "SendMessage", say(text));
    expect(result).toMatchObject(expected);
  });

  it("waits no less for a time beyond what timers take", async () => {
    await using server = await openServer();
    const params = say("wait 1e99", {}, { returnImmediately: true });
    const { result } = await call(server.url, "SendMessage", params);
    const { id } = result.task;
    await call(server.url, "SendMessage", say("wait 0"));
    const canceled = await call(server.url, "CancelTask", { id });
    expect(canceled.result.status.state).toBe("TASK_STATE_CANCELED");
  });

  it.each([
    [["text/plain"], { text: "hello" }],
    [["text"], { text: "<h1>hello</h1>", mediaType: "text/html" }],
    [["image/*", "text/html"], { text: "<h1>hello</h1>", mediaType: "text/html" }],
  ])("answers in what its caller accepts: %j", async (acceptedOutputModes, part) => {
    await using server = await openServer();
    const params = say("page hello", {}, { acceptedOutputModes });
    const { result } = await call(server.url, "SendMessage", params);
    expect(result.message.parts).toEqual([part]);
  });

  const both = {
    status: { state: "TASK_STATE_COMPLETED", message: { parts: [{ text: "hello" }] } },
    artifacts: [{ parts: [{ text: "hello" }] }],
  };

  it.each(["0.3", "0.3+type", "0.3-schema", "0.3-proto", "1.0", "1.0 REST"] as const)(
    "answers in an artifact and in the status of a task in %s",
    async (speech) => {
      await using server = await openServer();
      const request = textMessage("both hello");
      const { result } = await ask(server.url, speech, "sendMessage", request);
      expect(result.task).toMatchObject(both);
    },
  );

  it("does so in 0.1", async () => {
    await using server = await openServer();
    const { result } = await call(server.url, "tasks/send", sayOldest("t1", "both hello"));
    expect(readResult("0.1", "getTask", result)).toMatchObject(both);
  });

  it.each(["0.3", "1.0"] as const)("does so over gRPC %s", async (version) => {
    await using server = await openServer({ grpc: { port: 0 } });
    const transport = createGrpcTransport({ address: addressOf(server), version });
    const { task } = await transport.sendMessage(textMessage("both hello"), { version });
    expect(task).toMatchObject(both);
    transport.close();
  });

  it("goes on when it is authorized", async () => {
    await using server = await openServer();
    const { result } = await call(server.url, "SendMessage", say("auth"));
    const answer = await call(server.url, "SendMessage", say("done", { taskId: result.task.id }));
    expect(answer.result).toMatchObject(completed({ text: "Thank you, that worked." }));
  });

  it("shows progress only while there is some", async () => {
    await using server = await openServer();
    const { result } = await call(server.url, "SendMessage", say("flight"));
    const { id } = result.task;
    await call(server.url, "SendMessage", say("to Tokyo", { taskId: id }));
    await call(server.url, "SendMessage", say("in May", { taskId: id }));
    const { result: task } = await call(server.url, "tasks/get", { id });
    expect(task.status).toEqual({ state: "completed", timestamp: expect.any(String) });
  });

  it("has a skill with an example for each word", async () => {
    await using server = await openServer();
    const card = jsonOf(await send(server.url, "GET /.well-known/agent-card.json"));
    const words = card.skills.map(({ examples }: JsonBody) => examples[0].split(" ")[0]);
    expect(words).toEqual([
      "echo",
      "task",
      "both",
      "page",
      "stream",
      "flight",
      "wait",
      "fail",
      "reject",
      "auth",
      "file",
    ]);
    expect(card.skills.map(({ id }: JsonBody) => id)).toEqual(words);
  });
});
