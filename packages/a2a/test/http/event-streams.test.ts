import { describe, expect, it } from "vitest";
import { A2AError } from "@parley/a2a";
import { agent } from "@parley/a2a/server";
import { verifies } from "../spec/verifies.js";
import { textMessage, write } from "../support/clients/dialect-client.js";
import type { Speech } from "../support/clients/dialect-client.js";
import { collect, openEvents } from "../support/clients/event-client.js";
import type { Frame } from "../support/clients/event-client.js";
import { createGate } from "../support/time/gate.js";
import { openServer } from "../support/servers/open-server.js";
import { createStubService, openService } from "./stub-service.js";

const speeches: readonly Speech[] = ["0.1", "0.3", "0.3-proto", "0.3-schema", "1.0", "1.0 REST"];

/** Holds its tongue until the gate opens. */
function createSilent(gate: { readonly opened: Promise<void> }) {
  return agent({
    name: "Silent",
    description: "Speaks when it may",
    async run() {
      await gate.opened;
      return "at last";
    },
  });
}

/** A task that is there at once and goes on when the gate opens. */
function createSlow(gate: { readonly opened: Promise<void> }) {
  return agent({
    name: "Slow",
    description: "Takes its time",
    async *run() {
      yield "line one\nline two\r\n\r\nand: more\u2028";
      await gate.opened;
      yield "done";
    },
  });
}

function stream(speech: Speech, text = "go") {
  return write(speech, "sendStreamingMessage", textMessage(text));
}

describe("an event stream", () => {
  it("is open before its first event, where that is long in coming", async () => {
    const gate = createGate();
    await using server = await openServer({ agent: createSilent(gate), heartbeatMs: 3_600_000 });
    // Resolves with the headers; no event and no heartbeat brings them.
    using opened = await openEvents(server.url, ...stream("1.0"));
    expect(opened.headers).toMatchObject({ "content-type": "text/event-stream" });
    gate.open();
    expect(await collect(opened)).toHaveLength(1);
  });

  it.each(speeches)("has a number and one line of data for every event, in %s", async (speech) => {
    verifies("rest:stream-order");
    const gate = createGate();
    gate.open();
    await using server = await openServer({ agent: createSlow(gate) });
    using opened = await openEvents(server.url, ...stream(speech));
    expect(opened.headers).toMatchObject({
      "content-type": "text/event-stream",
      "cache-control": "no-store, no-transform",
      "x-accel-buffering": "no",
    });
    expect(opened.headers).not.toHaveProperty("content-length");
    const ids: number[] = [];
    for await (const { id, data, comments, others } of opened) {
      expect([data.length, comments, others]).toEqual([1, [], []]);
      ids.push(Number(id));
    }
    expect(ids.length).toBeGreaterThan(3);
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each(speeches)("is kept alive by comments while nothing happens, in %s", async (speech) => {
    const gate = createGate();
    await using server = await openServer({ agent: createSlow(gate), heartbeatMs: 20 });
    using opened = await openEvents(server.url, ...stream(speech));
    const { events, beats } = await readUntilBeats(opened, 3, () => gate.open());
    expect(beats).toBeGreaterThanOrEqual(3);
    expect(events.at(-1)).toMatch(/completed|TASK_STATE_COMPLETED/);
  });

  // The server waits a second before it opens a stream without an event: these wait together.
  it.concurrent.each(speeches)(
    "is open before its agent has said a word, in %s",
    async (speech) => {
      verifies("stream:message-only", "stream:established");
      const gate = createGate();
      await using server = await openServer({ agent: createSilent(gate), heartbeatMs: 20 });
      using opened = await openEvents(server.url, ...stream(speech));
      expect(opened.status).toBe(200);
      const { events } = await readUntilBeats(opened, 2, () => gate.open());
      expect(events.join()).toContain("at last");
    },
  );

  it.concurrent(
    "tells of an error that comes after it has been opened, and when to come back",
    async () => {
      const gate = createGate();
      const service = {
        ...createStubService(() => expect.fail()),
        async *sendStreamingMessage() {
          yield* await gate.opened.then((): never[] => {
            throw new A2AError("UNAVAILABLE", "not now", { details: { retryAfterSeconds: 2 } });
          });
        },
      };
      await using server = await openService(service, { heartbeatMs: 20 });
      using opened = await openEvents(server.url, ...stream("1.0"));
      expect(opened.status).toBe(200);
      gate.open();
      const frames: Frame[] = [];
      for await (const frame of opened) if (frame.data.length > 0) frames.push(frame);
      expect(frames).toMatchObject([{ others: ["retry: 2000"] }]);
      expect(JSON.parse(frames[0]?.data[0] ?? "").error.code).toBe(-32603);
    },
  );

  it.each(speeches.slice(1))(
    "of a direct answer is one event without a number, in %s",
    async (speech) => {
      verifies("stream:message-only");
      await using server = await openServer();
      using opened = await openEvents(server.url, ...stream(speech, "echo hi"));
      const [only, ...others] = await collect(opened);
      expect(others).toEqual([]);
      expect(only).not.toHaveProperty("id");
      expect(JSON.stringify(only)).toContain('"hi"');
    },
  );

  it("of a direct answer is that of a task in 0.1, which has nothing else", async () => {
    await using server = await openServer();
    using opened = await openEvents(server.url, ...stream("0.1", "echo hi"));
    const events = (await collect(opened)).map(({ data }) => data.result);
    expect(events.at(-1)).toMatchObject({ status: { state: "completed" }, final: true });
    expect(events.find(({ artifact }) => artifact)?.artifact.parts).toEqual([
      { type: "text", text: "hi" },
    ]);
  });

  it.each(speeches)(
    "ends when its task asks for input, and says so before 1.0: %s",
    async (speech) => {
      verifies("stream:close-at-input-required");
      await using server = await openServer();
      using opened = await openEvents(server.url, ...stream(speech, "flight"));
      const last = (await collect(opened)).at(-1)?.data;
      expect(JSON.stringify(last)).toMatch(/input-required|TASK_STATE_INPUT_REQUIRED/);
      const payload = last.result ?? last;
      const { final } = payload.statusUpdate ?? payload;
      expect(final).toBe(speech.startsWith("1.0") ? undefined : true);
    },
  );

  it("stays open while its task waits for authorization", async () => {
    verifies("stream:open-at-auth-required");
    await using server = await openServer({ heartbeatMs: 20 });
    using opened = await openEvents(server.url, ...stream("1.0", "auth"));
    let taskId = "";
    const { events } = await readUntilBeats(opened, 2, (seen) => {
      taskId = JSON.parse(seen[0] ?? "").result.task.id;
      void openEvents(
        server.url,
        ...write("1.0", "sendMessage", textMessage("granted", { taskId })),
      );
    });
    expect(events.some((event) => event.includes("TASK_STATE_AUTH_REQUIRED"))).toBe(true);
    expect(events.at(-1)).toContain("TASK_STATE_COMPLETED");
  });
});

/** Reads to the end; when so many heartbeats have come, something is done. */
async function readUntilBeats(
  frames: AsyncIterable<Frame>,
  count: number,
  act: (events: readonly string[]) => void,
): Promise<{ readonly events: readonly string[]; readonly beats: number }> {
  const events: string[] = [];
  let beats = 0;
  for await (const { data, comments } of frames) {
    events.push(...data);
    beats += comments.length;
    if (comments.length > 0 && beats === count) act(events);
  }
  return { events, beats };
}
