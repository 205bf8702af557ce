import { failureOf, statusDetailsUri } from "@parley/a2a";
import { agent } from "@parley/a2a/server";
import type { Server } from "@parley/a2a/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  ask,
  dialectOf,
  isRest,
  payloadOf,
  readEvent,
  textMessage,
  write,
} from "../support/clients/dialect-client.js";
import type { Speech } from "../support/clients/dialect-client.js";
import { collect, openEvents } from "../support/clients/event-client.js";
import { jsonOf, send } from "../support/clients/http-client.js";
import type { JsonBody } from "../support/clients/http-client.js";
import { RawClient, reasonOf, say, say03 } from "../support/clients/raw-grpc-client.js";
import { addressOf } from "../support/servers/open-served.js";
import { openServer } from "../support/servers/open-server.js";
import { verifies } from "../spec/verifies.js";

const failing = agent({
  name: "Failing",
  description: "Fails as it is told",
  async *run({ text, fail }) {
    if (text === "details") fail("no seats", { details: { left: 0 } });
    if (text === "seats") fail("no seats", { code: "NO_SEATS", details: { left: 0, on: ["AB1"] } });
    if (text.startsWith("told")) yield "half an answer";
    yield { secretMember: 1 } as unknown as string;
  },
});

const reports: unknown[] = [];
let server: Server;
let client: RawClient;

beforeAll(async () => {
  server = await openServer({
    agent: failing,
    grpc: { port: 0 },
    report: (error) => void reports.push(error),
  });
  client = new RawClient(addressOf(server));
});
afterAll(async () => {
  client.close();
  await server.close();
});

const speeches = ["0.1", "0.3", "0.3+type", "0.3-schema", "0.3-proto", "1.0", "1.0 REST"] as const;

function request(speech: Speech, text: string): ReturnType<typeof textMessage> {
  return textMessage(text, speech === "0.1" ? { taskId: crypto.randomUUID() } : {});
}

/** Where a dialect has the details of a status: in it, or in the metadata beside it. */
function errorIn(speech: Speech, owner: JsonBody): JsonBody {
  const isBeside = speech === "0.3-proto" || speech === "1.0" || speech === "1.0 REST";
  return isBeside ? owner.metadata[statusDetailsUri].error : owner.status.error;
}

describe("the structured error of a status", () => {
  const error = { code: "NO_SEATS", message: "no seats", details: { left: 0, on: ["AB1"] } };

  it.each(speeches)("is told and read in %s: in a task, and in an update of it", async (speech) => {
    const { wire, result } = await ask(server.url, speech, "sendMessage", request(speech, "seats"));
    expect(errorIn(speech, wire.task ?? wire)).toStrictEqual(error);
    expect(failureOf(result.task ?? {})).toEqual(error);
    const id = result.task?.id ?? "";
    const read = await ask(server.url, speech, "getTask", { id });
    expect(errorIn(speech, read.wire)).toStrictEqual(error);
    expect(failureOf(read.result)).toEqual(error);

    const [route, options] = write(speech, "sendStreamingMessage", request(speech, "seats"));
    using stream = await openEvents(server.url, route, options);
    const last = payloadOf(speech, (await collect(stream)).at(-1) ?? { data: {} });
    expect(errorIn(speech, last.statusUpdate ?? last)).toStrictEqual(error);
    const { statusUpdate } = readEvent(dialectOf(speech), last);
    expect(failureOf(statusUpdate ?? {})).toEqual(error);
  });

  it.each([
    ["0.3", say03("seats")],
    ["1.0", say("seats")],
  ] as const)("is told over gRPC %s", async (version, message) => {
    const { message: answer } = await client.call(version, "SendMessage", message);
    expect(errorIn("1.0", (answer as JsonBody)["task"])).toStrictEqual(error);
  });

  it("has a code even if the agent gives none", async () => {
    const { wire } = await ask(server.url, "0.3", "sendMessage", request("0.3", "details"));
    expect(wire.status.error).toStrictEqual({
      code: "FAILED",
      message: "no seats",
      details: { left: 0 },
    });
  });
});

describe("a malformed answer", () => {
  const words = /^The agent gave a malformed answer \(.+\)\.$/;

  it.each(
    speeches.flatMap((speech) => [
      [speech, "before anything is told", "wrong"] as const,
      [speech, "after half an answer", "told wrong"] as const,
    ]),
  )("is an error for a caller of %s that waits for it, %s", async (speech, _, text) => {
    verifies("error:invalid-agent-response");
    reports.length = 0;
    const answer = await send(server.url, ...write(speech, "sendMessage", request(speech, text)));
    const body = jsonOf(answer);
    // REST of 0.3 has the error of 1.0 beside its own.
    const error = speech.startsWith("0.3-") ? body : (body.error ?? body);
    expect(answer.status).toBe(isRest(speech) ? 500 : 200);
    // In 0.1 the number has another meaning.
    const numbers: Partial<Record<Speech, number>> = { "0.1": -32004, "1.0 REST": 500 };
    expect(error.code).toBe(numbers[speech] ?? -32006);
    expect(answer.text).toContain("INVALID_AGENT_RESPONSE");
    expect(answer.text).not.toContain("secretMember");
    expect(String(reports[0])).toContain("secretMember");

    // The task has failed in the log, and says why to those who read it.
    const info = (error.data?.[0] ?? error.details?.[0])?.metadata ?? error.data;
    const id = info.taskId as string;
    const { result, wire } = await ask(server.url, speech, "getTask", { id });
    expect(result.status.state).toBe("TASK_STATE_FAILED");
    expect(errorIn(speech, wire)).toMatchObject({ code: "INVALID_AGENT_RESPONSE" });
    expect(errorIn(speech, wire).message).toMatch(words);
  });

  it.each([
    ["0.3", say03("wrong")],
    ["1.0", say("wrong")],
  ] as const)("is an error over gRPC %s", async (version, message) => {
    const { error } = await client.call(version, "SendMessage", message);
    expect(error?.code).toBe(13);
    if (version === "1.0") expect(reasonOf(error)["reason"]).toBe("INVALID_AGENT_RESPONSE");
  });

  it.each(speeches)("is a failed task for a caller of %s that watches it", async (speech) => {
    const [route, options] = write(speech, "sendStreamingMessage", request(speech, "told wrong"));
    using stream = await openEvents(server.url, route, options);
    const events = (await collect(stream)).map((event) =>
      readEvent(dialectOf(speech), payloadOf(speech, event)),
    );
    const { statusUpdate } = events.at(-1) ?? {};
    expect(statusUpdate?.status.state).toBe("TASK_STATE_FAILED");
    expect(failureOf(statusUpdate ?? {})?.code).toBe("INVALID_AGENT_RESPONSE");
  });

  it("is a task for a caller that does not wait", async () => {
    const wait = { configuration: { returnImmediately: true } };
    const sent = { ...request("1.0", "told wrong"), ...wait };
    const { result } = await ask(server.url, "1.0", "sendMessage", sent);
    expect(result.task?.id).toBeDefined();
  });
});
