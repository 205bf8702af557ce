import { agent } from "@parley/a2a/server";
import type { Server } from "@parley/a2a/node";
import { createMemoryStore } from "@parley/a2a/store/memory";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask, isRest, readResult, textMessage, write } from "../support/clients/dialect-client.js";
import type { Speech } from "../support/clients/dialect-client.js";
import { call, jsonOf, send } from "../support/clients/http-client.js";
import type { JsonBody } from "../support/clients/http-client.js";
import { RawClient, say, say03 } from "../support/clients/raw-grpc-client.js";
import { openFolder } from "../support/files/open-folder.js";
import { addressOf } from "../support/servers/open-served.js";
import { openServer } from "../support/servers/open-server.js";

/** Answers "task …" in a task, and anything else directly. */
const answering = agent({
  name: "Answering",
  description: "Answers in a task, or directly",
  async *run({ text }) {
    if (!text.startsWith("task")) return `a reply to ${text}`;
    yield `an answer to ${text}`;
    return undefined;
  },
});

let server: Server;

beforeAll(async () => {
  server = await openServer({ agent: answering, grpc: { port: 0 } });
});
afterAll(() => server.close());

/** Gets a task by an id, in whatever spelling the server chooses. */
async function read(url: string, speech: Speech, id: string): Promise<JsonBody> {
  const answer = jsonOf(await send(url, ...write(speech, "getTask", { id })));
  return isRest(speech) ? answer : answer.result;
}

/** A part of the text as each spelling has it. */
const parts: readonly (readonly [Speech, (text: string) => object])[] = [
  ["0.3", (text) => ({ kind: "text", text })],
  ["0.3+type", (text) => ({ kind: "text", type: "text", text })],
  ["0.3-schema", (text) => ({ kind: "text", text })],
  ["0.3-proto", (text) => ({ text })],
];

describe.each(parts)("in %s", (speech, part) => {
  const contentOf = ({ parts: own, content }: JsonBody): JsonBody => own ?? content;
  const now = Date.now();

  it("a task is found by the ids of its messages, and told as it was asked for", async () => {
    const request = textMessage("task one");
    const sent = await ask(server.url, speech, "sendMessage", request);
    const { id } = sent.result.task ?? {};
    const found = await read(server.url, speech, request.message.messageId);
    expect(found.id).toBe(id);
    expect(contentOf(found.artifacts[0])).toStrictEqual([part("an answer to task one")]);
    expect(contentOf(found.history[0])).toStrictEqual([part("task one")]);
  });

  it("a direct reply is found by its own id and by that of the message before it", async () => {
    const request = textMessage("hello");
    const { result } = await ask(server.url, speech, "sendMessage", request);
    const { messageId = "", contextId } = result.message ?? {};
    for (const id of [messageId, request.message.messageId]) {
      const task = await read(server.url, speech, id);
      expect(task).toMatchObject({ id, contextId });
      expect(task.status.state).toMatch(/completed/i);
      expect(Date.parse(task.status.timestamp)).toBeGreaterThanOrEqual(now);
      expect(contentOf(task.status.message)).toStrictEqual([part("a reply to hello")]);
      expect(task.history).toHaveLength(1);
      expect(contentOf(task.history[0])).toStrictEqual([part("hello")]);
      const model = readResult(speech === "0.3-proto" ? "0.3-proto" : "0.3", "getTask", task);
      expect(model.history?.[0]?.messageId).toBe(request.message.messageId);
    }
  });
});

describe("a direct reply", () => {
  it("to a caller that leaves out the id of its message is found by its own", async () => {
    const message = { role: "user", parts: [{ type: "text", text: "Hola" }], messageId: "" };
    const { result } = await call(server.url, "message/send", { message });
    const { result: task } = await call(server.url, "tasks/get", { id: result.messageId });
    const part = { type: "text", text: "a reply to Hola" };
    expect(task).toMatchObject({
      kind: "task",
      status: { state: "completed", message: { parts: [part] } },
    });
  });

  it("is found over gRPC 0.3, and not over gRPC 1.0", async () => {
    const client = new RawClient(addressOf(server));
    try {
      const messageId = crypto.randomUUID();
      const request = { message: { ...(say03("hi")["message"] as object), messageId } };
      const { message: sent } = await client.call("0.3", "SendMessage", request);
      const reply = (sent as JsonBody)["message"].messageId as string;
      for (const id of [messageId, reply]) {
        const { message: task } = await client.call("0.3", "GetTask", { name: `tasks/${id}` });
        expect(task).toMatchObject({ id, status: { state: "TASK_STATE_COMPLETED" } });
        expect(task?.["history"]).toMatchObject([{ messageId }]);
        const { error } = await client.call("1.0", "GetTask", { id });
        expect(error?.code).toBe(5);
      }
      const { message: current } = await client.call("1.0", "SendMessage", say("hi"));
      const unkept = (current as JsonBody)["message"].messageId as string;
      const { error } = await client.call("0.3", "GetTask", { name: `tasks/${unkept}` });
      expect(error?.code).toBe(5);
    } finally {
      client.close();
    }
  });

  it("is not found in 1.0", async () => {
    const request = textMessage("hello");
    const { result } = await ask(server.url, "0.3", "sendMessage", request);
    for (const id of [request.message.messageId, result.message?.messageId ?? ""]) {
      for (const speech of ["1.0", "1.0 REST"] as const) {
        const answer = await send(server.url, ...write(speech, "getTask", { id }));
        expect(answer.text).toContain("TASK_NOT_FOUND");
      }
    }
  });

  it("is found after a restart", async () => {
    await using folder = await openFolder();
    const store = `${folder.path}/tasks.db`;
    const request = textMessage("hello");
    {
      await using first = await openServer({ agent: answering, store });
      await ask(first.url, "0.3+type", "sendMessage", request);
    }
    await using second = await openServer({ agent: answering, store });
    const task = await read(second.url, "0.3+type", request.message.messageId);
    expect(task.history[0].parts).toStrictEqual([{ kind: "text", type: "text", text: "hello" }]);
  });

  it("counts once for its caller, and a large message is not kept with it", async () => {
    const store = createMemoryStore();
    await using counted = await openServer({ agent: answering, store });
    const large = textMessage("x".repeat(100_000));
    await ask(counted.url, "0.3", "sendMessage", large);
    await ask(counted.url, "0.3", "sendMessage", textMessage("small"));
    const { tasks } = await store.loadUsage("", "Answering");
    expect(tasks).toBe(2);
    const task = await read(counted.url, "0.3", large.message.messageId);
    expect(task.status.state).toBe("completed");
    expect(task).not.toHaveProperty("history");
  });
});
