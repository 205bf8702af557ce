import { expect, it } from "vitest";
import { openCliServer } from "../support/servers/open-cli-server.js";
import { textMessage, write } from "../support/clients/dialect-client.js";
import type { Speech } from "../support/clients/dialect-client.js";
import { eventsOf, openEvents } from "../support/clients/event-client.js";
import { call, say } from "../support/clients/http-client.js";
import { openFolder } from "../support/files/open-folder.js";

const clients = 200;
const chunks = 150;
/** A connection is dropped so long after its first event, and on a machine that is slow after so many. */
const dropAfterEvents = 10;
const dropAfterMs = 50;
const speeches = ["1.0", "1.0 REST", "0.3", "0.3-proto"] as const;

/** What one client has of the text, and how often it had to come back for more. */
interface Reading {
  readonly text: string;
  readonly connections: number;
}

it("200 clients that drop and resume all the time each read the whole text", async () => {
  await using folder = await openFolder();
  await using server = await openCliServer(`${folder.path}/tasks.db`);
  const params = say(`stream ${chunks} 20`, {}, { returnImmediately: true });
  const { result } = await call(server.url, "SendMessage", params);
  const { id } = result.task;
  const readings = await Promise.all(
    Array.from({ length: clients }, (_, index) =>
      readAll(server.url, id, speeches[index % speeches.length] ?? "1.0"),
    ),
  );
  const expected = Array.from({ length: chunks }, (_, index) => `chunk ${index + 1} `).join("");
  expect(new Set(readings.map(({ text }) => text))).toEqual(new Set([expected]));
  const connections = readings.reduce((sum, reading) => sum + reading.connections, 0);
  expect(connections).toBeGreaterThan(clients * (chunks / dropAfterEvents));
  const echoed = await call(server.url, "SendMessage", textMessage("echo still here"));
  expect(echoed.result.message.parts).toEqual([{ text: "still here" }]);
});

/** Reads a task to its end over connections that are dropped shortly after they have brought something. */
async function readAll(url: string, id: string, speech: Speech): Promise<Reading> {
  let text = "";
  // Nothing yet: who comes when the task has ended is told of it all the same.
  let lastEventId = "0";
  for (let connections = 1; ; connections += 1) {
    const headers = { "Last-Event-ID": lastEventId };
    const stream = await openEvents(url, ...write(speech, "subscribeToTask", { id }, headers));
    expect(stream.headers["content-type"]).toBe("text/event-stream");
    let dropping: ReturnType<typeof setTimeout> | undefined;
    let events = 0;
    try {
      for await (const event of eventsOf(stream)) {
        const payload = event.data.result ?? event.data;
        const task = payload.task ?? (payload.kind === "task" ? payload : undefined);
        const chunk = payload.artifactUpdate ?? payload;
        const { parts = [] } = task?.artifacts?.[0] ?? chunk.artifact ?? {};
        text += parts.map((part: { text: string }) => part.text).join("");
        lastEventId = event.id ?? lastEventId;
        const { state } = (payload.statusUpdate ?? payload).status ?? {};
        if (/completed/i.test(state)) return { text, connections };
        events += 1;
        if (events === dropAfterEvents) break;
        dropping ??= setTimeout(() => stream.close(), dropAfterMs);
      }
    } catch {
      // The connection was dropped in the middle of an event, which comes again.
    } finally {
      clearTimeout(dropping);
      stream.close();
    }
  }
}
