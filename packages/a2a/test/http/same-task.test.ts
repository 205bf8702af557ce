import { describe, expect, it } from "vitest";
import { agent } from "@parley/a2a/server";
import { verifies } from "../spec/verifies.js";
import {
  ask,
  dialectOf,
  payloadOf,
  readEvent,
  textMessage,
  write,
} from "../support/clients/dialect-client.js";
import type { Speech } from "../support/clients/dialect-client.js";
import { collect, eventsOf, openEvents } from "../support/clients/event-client.js";
import type { Event, EventStream } from "../support/clients/event-client.js";
import { createGate } from "../support/time/gate.js";
import { call, rpc, sayOldest } from "../support/clients/http-client.js";
import type { JsonBody } from "../support/clients/http-client.js";
import { openServer } from "../support/servers/open-server.js";
import { openFolder } from "../support/files/open-folder.js";

const speeches: readonly Speech[] = ["0.3", "0.3-proto", "0.3-schema", "1.0", "1.0 REST"];

describe("one task, read by callers of every version at once", () => {
  it.each(["memory", "SQLite"])("says the same in each one's words, from %s", async (engine) => {
    verifies("binding:same-results", "get:current-state", "get:idempotent");
    await using folder = await openFolder();
    await using server = await openServer(
      engine === "SQLite" ? { store: `${folder.path}/tasks.db` } : {},
    );
    const { result } = await call(server.url, "tasks/send", sayOldest("t1", "flight"));
    expect(result.status.state).toBe("input-required");
    await call(server.url, "CancelTask", { id: "t1" });

    const read = (method: string, version?: string): Promise<JsonBody> =>
      call(server.url, method, { id: "t1" }, version ? { "A2A-Version": version } : {});
    const [oldest, earlier, proto, current, rest] = await Promise.all([
      read("tasks/get"),
      read("tasks/get", "0.3"),
      ask(server.url, "0.3-proto", "getTask", { id: "t1" }),
      read("GetTask", "1.0"),
      ask(server.url, "1.0 REST", "getTask", { id: "t1" }),
    ]);
    const { sessionId, contextId } = oldest.result;
    expect(sessionId).toBe(contextId);
    expect(oldest.result).toMatchObject({ id: "t1", status: { state: "canceled" } });
    expect(oldest.result.history[0].parts[0]).toEqual({
      kind: "text",
      type: "text",
      text: "flight",
    });
    expect(earlier.result).toMatchObject({
      kind: "task",
      contextId,
      status: { state: "canceled" },
    });
    expect(proto.wire).toMatchObject({ contextId, status: { state: "TASK_STATE_CANCELLED" } });
    expect(proto.wire.history[0].content).toEqual([{ text: "flight" }]);
    expect(current.result).toMatchObject({ contextId, status: { state: "TASK_STATE_CANCELED" } });
    expect(current.result.history[0].parts).toEqual([{ text: "flight" }]);
    expect(rest.wire).toEqual(current.result);
    expect(proto.result).toEqual(current.result);
  });

  it.each(speeches)("can be started by %s and continued by all others", async (speech) => {
    await using server = await openServer();
    const started = await ask(server.url, speech, "sendMessage", textMessage("flight"));
    const taskId = started.result.task?.id ?? "";
    const others = speeches.filter((one) => one !== speech);
    const [second = "1.0", third = "0.3"] = others;
    const to = textMessage("to Tokyo", { taskId });
    const { result: asked } = await ask(server.url, second, "sendMessage", to);
    expect(asked.task?.status.state).toBe("TASK_STATE_INPUT_REQUIRED");
    const dates = textMessage("in May", { taskId });
    const { result: done } = await ask(server.url, third, "sendMessage", dates);
    expect(done.task?.status.state).toBe("TASK_STATE_COMPLETED");
    // Bodiless requests of 0.3 REST do not show their spelling, so they get that of the task's creator.
    const unread = speech === "0.3-schema" ? "0.3-proto" : "0.3-schema";
    for (const other of speeches.filter((one) => one !== unread)) {
      const { result } = await ask(server.url, other, "getTask", { id: taskId });
      expect(result.artifacts?.[0]?.parts[0]?.data).toMatchObject({ route: "to Tokyo" });
    }
  });
});

/** Says that it is there, waits for the gate, and then says all that an agent can say. */
function createTalker(gate: { readonly opened: Promise<void> }) {
  return agent({
    name: "Talker",
    description: "Talks once it may",
    async *run() {
      yield { status: "here" };
      await gate.opened;
      for (let chunk = 1; chunk <= 30; chunk += 1) yield `${chunk}\n`;
      yield { artifact: "other", name: "other.json", data: { list: [1, 2] } };
      yield { status: "nearly done", progress: 0.9 };
      yield { artifact: "other", data: { list: [3] }, append: true, lastChunk: true };
    },
  });
}

/** An event as all versions tell it. */
function meaningOf(speech: Speech, event: Event): unknown {
  const { statusUpdate, artifactUpdate } = readEvent(dialectOf(speech), payloadOf(speech, event));
  if (statusUpdate !== undefined) {
    const { state, message } = statusUpdate.status;
    return { id: event.id, state, text: message?.parts[0]?.text };
  }
  const { parts, name } = artifactUpdate?.artifact ?? {};
  const { append, lastChunk } = artifactUpdate ?? {};
  return { id: event.id, parts, name, append, lastChunk };
}

describe("one task, watched by callers of every version at once", () => {
  it("is told in the same events, in the same order", async () => {
    verifies(
      "stream:broadcast",
      "stream:same-events",
      "stream:order",
      "stream:concurrent",
      "stream:update-events",
      "stream:close-at-terminal",
      "subscribe:close-at-terminal",
      "subscribe:no-gap",
      "subscribe:active-task",
      "stream:status-update-fields",
      "stream:artifact-update-fields",
      "jsonrpc:stream-frames",
      "jsonrpc:subscribe-frames",
      "jsonrpc:stream-content-type",
    );
    const gate = createGate();
    await using server = await openServer({ agent: createTalker(gate) });
    const oldest = await openEvents(
      server.url,
      "POST /",
      rpc("tasks/sendSubscribe", sayOldest("t1", "go")),
    );
    const beginning = eventsOf(oldest);
    const here = await nextUntil(
      beginning,
      ({ data }) => data.result.status?.message !== undefined,
    );

    const watched: readonly (readonly [Speech, EventStream])[] = await Promise.all(
      (["1.0", "1.0", "1.0 REST", "0.3", "0.3-proto", "0.1"] as const).map(async (speech) => {
        const [route, options] = write(speech, "subscribeToTask", { id: "t1" });
        const headers = speech === "0.3" ? { "A2A-Version": "0.3" } : {};
        const stream = await openEvents(server.url, route, { ...options, headers });
        return [speech, stream] as const;
      }),
    );
    const collecting = watched.map(async ([speech, stream]) => {
      const events: unknown[] = [];
      for await (const event of eventsOf(stream)) {
        const payload = payloadOf(speech, event);
        // 0.1 streams no tasks: it tells the status once more.
        const isStart = speech === "0.1" ? event.id === here.id : isTask(payload);
        if (isStart) expect(event.id).toBe(here.id);
        else events.push(meaningOf(speech === "0.1" ? "0.1+0.3" : speech, event));
      }
      return events;
    });
    gate.open();
    const told: unknown[] = [];
    for await (const event of beginning) told.push(meaningOf("0.1", event));
    expect(told).toHaveLength(35);
    for (const events of await Promise.all(collecting)) expect(events).toEqual(told);
    expect(told.at(-1)).toMatchObject({ state: "TASK_STATE_COMPLETED" });
  });

  it("is left by one without the others noticing", async () => {
    verifies("stream:independent-close", "stream:task-outlives-stream");
    const gate = createGate();
    await using server = await openServer({ agent: createTalker(gate) });
    const leaving = await openEvents(
      server.url,
      ...write("1.0", "sendStreamingMessage", textMessage("go")),
    );
    const first = await nextUntil(eventsOf(leaving), () => true);
    const { id } = first.data.result.task;
    using staying = await openEvents(server.url, ...write("1.0", "subscribeToTask", { id }));
    leaving.close();
    gate.open();
    const events = await collect(staying);
    expect(events.at(-1)?.data.result.statusUpdate.status.state).toBe("TASK_STATE_COMPLETED");
    const { result } = await ask(server.url, "1.0", "getTask", { id });
    expect(result.artifacts?.[0]?.parts).toHaveLength(30);
  });
});

function isTask(payload: JsonBody): boolean {
  return payload.task !== undefined || payload.kind === "task";
}

/** The next event that a test waits for; those before it are skipped. */
async function nextUntil(
  events: AsyncGenerator<Event, void, void>,
  isIt: (event: Event) => boolean,
): Promise<Event> {
  for (;;) {
    const next = await events.next();
    if (next.done === true) throw new Error("the stream ended before what was waited for");
    if (isIt(next.value)) return next.value;
  }
}
