import { describe, expect, it } from "vitest";
import { agent } from "@parley/a2a/server";
import { authenticatorOf } from "../support/auth/authenticator-of.js";
import { payloadOf, textMessage, write } from "../support/clients/dialect-client.js";
import type { Speech } from "../support/clients/dialect-client.js";
import { collect, eventsOf, openEvents, take } from "../support/clients/event-client.js";
import type { Event, EventStream } from "../support/clients/event-client.js";
import { createGate } from "../support/time/gate.js";
import type { Gate } from "../support/time/gate.js";
import { call, rpc, say, sayOldest, send } from "../support/clients/http-client.js";
import { openServer } from "../support/servers/open-server.js";
import { openFolder } from "../support/files/open-folder.js";

/** How each version watches a task again. 0.1 does so with a task of its own. */
const speeches: readonly Speech[] = ["0.1", "0.3", "0.3-proto", "1.0", "1.0 REST"];

/** Two artifacts, the second of which begins after the gate. */
function createWriter(gate: Gate) {
  return agent({
    name: "Writer",
    description: "Writes in two parts",
    async *run() {
      for (const text of ["a", "b", "c"]) yield text;
      await gate.opened;
      yield { artifact: "second", text: "d" };
      yield { artifact: "second", text: "e", append: true };
      yield { status: "reading it over" };
      yield "f";
    },
  });
}

function resume(
  url: string,
  speech: Speech,
  id: string,
  lastEventId?: string,
): Promise<EventStream> {
  const headers = lastEventId === undefined ? {} : { "Last-Event-ID": lastEventId };
  return openEvents(url, ...write(speech, "subscribeToTask", { id }, headers));
}

/** Starts a task and reads its stream to the end. The agent's gate is open. */
async function tell(
  url: string,
  speech: Speech,
): Promise<{ id: string; events: readonly Event[] }> {
  using stream =
    speech === "0.1"
      ? await openEvents(url, "POST /", rpc("tasks/sendSubscribe", sayOldest("t1", "go")))
      : await openEvents(url, ...write(speech, "sendStreamingMessage", textMessage("go")));
  const events = await collect(stream);
  const first = payloadOf(speech, events[0] as Event);
  const id: string = first.task?.id ?? first.id;
  return { id, events };
}

describe("Last-Event-ID", () => {
  it.each(speeches)("continues after every event of a finished task, in %s", async (speech) => {
    const gate = createGate();
    gate.open();
    await using server = await openServer({ agent: createWriter(gate) });
    const { id, events } = await tell(server.url, speech);
    expect(events.length).toBeGreaterThan(8);
    for (const [index, event] of events.entries()) {
      using stream = await resume(server.url, speech, id, event.id);
      expect(stream.status).toBe(200);
      const rest = withoutIds(await collect(stream));
      // A stream of 0.1 ends with a final status, also for those who have seen it.
      const seen = speech === "0.1" ? Math.min(index + 1, events.length - 1) : index + 1;
      expect(rest).toHaveLength(events.length - seen);
      // Who comes back in 0.1 cannot be told from 0.3, and reads what is right in both.
      expect(rest).toMatchObject(withoutIds(events.slice(seen)));
    }
  });

  it.each(speeches)("continues while the task goes on, in %s", async (speech) => {
    const gate = createGate();
    await using folder = await openFolder();
    const store = `${folder.path}/tasks.db`;
    await using server = await openServer({ agent: createWriter(gate), store });
    const first =
      speech === "0.1"
        ? await openEvents(server.url, "POST /", rpc("tasks/sendSubscribe", sayOldest("t1", "go")))
        : await openEvents(server.url, ...write(speech, "sendStreamingMessage", textMessage("go")));
    const seen = await take(first, 4);
    const task = payloadOf(speech, seen[0] as Event);
    using second = await resume(
      server.url,
      speech,
      task.task?.id ?? task.id ?? "t1",
      seen.at(-1)?.id,
    );
    const rest: Event[] = [];
    for await (const event of eventsOf(second)) {
      rest.push(event);
      gate.open();
    }
    const texts = [...seen, ...rest].flatMap((event) => textsIn(speech, event));
    expect(texts.join("")).toBe("abcdef");
  });

  it("is at home in both bindings at once", async () => {
    const gate = createGate();
    gate.open();
    await using server = await openServer({ agent: createWriter(gate) });
    const { id, events } = await tell(server.url, "1.0");
    using stream = await resume(server.url, "1.0 REST", id, events[2]?.id);
    const rest = await collect(stream);
    expect(rest.map(({ data }) => data)).toEqual(events.slice(3).map(({ data }) => data.result));
  });

  it("counts the artifacts of 0.1 from the beginning of the task", async () => {
    const gate = createGate();
    gate.open();
    await using server = await openServer({ agent: createWriter(gate) });
    const { id, events } = await tell(server.url, "0.1");
    const indexes = (list: readonly Event[]) =>
      list.flatMap(({ data }) => data.result.artifact?.index ?? []);
    expect(indexes(events)).toEqual([0, 0, 0, 1, 1, 0]);
    using stream = await resume(server.url, "0.1", id, events[4]?.id);
    expect(indexes(await collect(stream))).toEqual(indexes(events.slice(5)));
  });

  it("of nothing seen tells the whole story of a task, even of a finished one", async () => {
    const gate = createGate();
    gate.open();
    await using server = await openServer({ agent: createWriter(gate) });
    const { id, events } = await tell(server.url, "1.0");
    using stream = await resume(server.url, "1.0", id, "0");
    expect(withoutIds(await collect(stream))).toEqual(withoutIds(events));
  });

  it.each(["999999", "abc", "-1", "1.5", "", "99999999999999999999"])(
    "that this log does not have is as good as none: %j",
    async (lastEventId) => {
      const gate = createGate();
      await using server = await openServer({ agent: createWriter(gate) });
      const { result } = await call(
        server.url,
        "SendMessage",
        say("go", {}, { returnImmediately: true }),
      );
      using stream = await resume(server.url, "1.0", result.task.id, lastEventId);
      gate.open();
      const [first, ...more] = await collect(stream);
      expect(first?.data.result.task.id).toBe(result.task.id);
      expect(more.at(-1)?.data.result.statusUpdate.status.state).toBe("TASK_STATE_COMPLETED");
    },
  );

  it("shows nobody the task of another", async () => {
    const gate = createGate();
    gate.open();
    await using server = await openServer({
      agent: createWriter(gate),
      auth: authenticatorOf(async (credentials) => ({
        subject: credentials.header("authorization") ?? "",
      })),
    });
    const headers = { Authorization: "alice" };
    const sent = await send(server.url, "POST /", rpc("SendMessage", say("go"), headers));
    const { id } = JSON.parse(sent.text).result.task;
    const [route, options] = write(
      "1.0",
      "subscribeToTask",
      { id },
      {
        Authorization: "bob",
        "Last-Event-ID": "2",
      },
    );
    expect((await send(server.url, route, options)).text).toContain("-32001");
  });
});

/** Events as they are, apart from the ids of JSON-RPC requests. */
function withoutIds(events: readonly Event[]): readonly unknown[] {
  return events.map(({ id, data }) => [id, payloadOf("1.0", { data }) ?? data]);
}

function textsIn(speech: Speech, event: Event): readonly string[] {
  const payload = payloadOf(speech, event);
  const { artifact } = payload.artifactUpdate ?? payload;
  return artifact === undefined ? [] : artifact.parts.map(({ text }: { text: string }) => text);
}
