import { describe, expect, it } from "vitest";
import { openCliServer } from "../support/servers/open-cli-server.js";
import { textMessage, write } from "../support/clients/dialect-client.js";
import { collect, eventsOf, openEvents, take } from "../support/clients/event-client.js";
import type { Event } from "../support/clients/event-client.js";
import { call, say, send } from "../support/clients/http-client.js";
import { eventsIn, quietLife } from "../support/read-log.js";
import { openFolder } from "../support/files/open-folder.js";

function textIn(events: readonly Event[]): string {
  const parts = events.flatMap(({ data }) => data.result?.artifactUpdate?.artifact.parts ?? []);
  return parts.map(({ text }: { text: string }) => text).join("");
}

describe("a server in a process of its own", () => {
  it("is healthy and ready", async () => {
    await using folder = await openFolder();
    await using server = await openCliServer(`${folder.path}/tasks.db`);
    expect(await send(server.url, "GET /healthz")).toMatchObject({ status: 200, text: "ok\n" });
    expect(await send(server.url, "GET /readyz")).toMatchObject({ status: 200 });
    expect(await send(server.url, "GET /healthz?from=balancer")).toMatchObject({ status: 200 });
    expect(await send(server.url, "GET /readyz?from=balancer")).toMatchObject({ status: 200 });
    expect(await send(server.url, "HEAD /healthz")).toMatchObject({ status: 200, text: "" });
  });

  it.each(["SIGTERM", "SIGINT"] as const)(
    "ends at once on %s when nothing is under way",
    async (signal) => {
      await using folder = await openFolder();
      await using server = await openCliServer(`${folder.path}/tasks.db`);
      await call(server.url, "SendMessage", say("flight"));
      expect(await server.stop(signal)).toBe(0);
      expect(eventsIn(server.stderr()).filter((event) => event !== "run.ended")).toEqual(quietLife);
    },
  );

  it("hands a running task on when it is stopped: the next process finishes it, the stream goes on", async () => {
    // Five seconds are left for the signal after the third.
    const chunks = 8;
    await using folder = await openFolder();
    const store = `${folder.path}/tasks.db`;
    await using first = await openCliServer(store, "--stop-grace", "0");
    using stream = await openEvents(
      first.url,
      ...write("1.0", "sendStreamingMessage", textMessage(`stream ${chunks} 1000`)),
    );
    const events = eventsOf(stream);
    const seen: Event[] = [];
    while (textIn(seen).split("chunk").length <= 3) {
      const next = await events.next();
      if (next.done === true) expect.fail("the stream ended too early");
      seen.push(next.value);
    }
    const id: string = seen[0]?.data.result.task.id;
    const stopped = first.stop("SIGTERM");
    for await (const event of events) seen.push(event);
    expect(seen.at(-1)?.data.error.message).toContain("ask again");

    await using second = await openCliServer(store);
    const lastEventId = seen.findLast((event) => event.id !== undefined)?.id ?? "";
    using resumed = await openEvents(
      second.url,
      ...write("1.0", "subscribeToTask", { id }, { "Last-Event-ID": lastEventId }),
    );
    const rest = await collect(resumed);
    const expected = Array.from({ length: chunks }, (_, index) => `chunk ${index + 1} `).join("");
    expect(textIn([...seen, ...rest])).toBe(expected);
    expect(rest.at(-1)?.data.result.statusUpdate.status.state).toBe("TASK_STATE_COMPLETED");
    expect(await stopped).toBe(0);
  });

  it("leaves a task that waits for its caller to the next process", async () => {
    await using folder = await openFolder();
    const store = `${folder.path}/tasks.db`;
    await using first = await openCliServer(store);
    const { result } = await call(first.url, "SendMessage", say("flight"));
    const { id: taskId } = result.task;
    using stream = await openEvents(first.url, ...write("1.0", "subscribeToTask", { id: taskId }));
    const [snapshot] = await take(stream, 1);
    expect(await first.stop("SIGTERM")).toBe(0);

    await using second = await openCliServer(store);
    const headers = { "Last-Event-ID": snapshot?.id ?? "" };
    using resumed = await openEvents(
      second.url,
      ...write("1.0", "subscribeToTask", { id: taskId }, headers),
    );
    await call(second.url, "SendMessage", say("to Tokyo", { taskId }));
    const done = await call(second.url, "SendMessage", say("in May", { taskId }));
    expect(done.result.task.artifacts[0].parts[0].data).toMatchObject({
      route: "to Tokyo",
      dates: "in May",
    });
    const states = (await collect(resumed)).flatMap(
      ({ data }) => data.result.statusUpdate?.status.state ?? [],
    );
    expect(states.at(-1)).toBe("TASK_STATE_COMPLETED");
    expect(states).not.toContain("TASK_STATE_SUBMITTED");
  });
});
