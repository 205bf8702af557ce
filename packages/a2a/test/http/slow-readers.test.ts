import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { agent } from "@parley/a2a/server";
import { verifies } from "../spec/verifies.js";
import { textMessage, write } from "../support/clients/dialect-client.js";
import { eventsOf, openEvents } from "../support/clients/event-client.js";
import { createGate } from "../support/time/gate.js";
import { call, open, say, send } from "../support/clients/http-client.js";
import { openServer } from "../support/servers/open-server.js";

const chunks = 20_000;
const chunkBytes = 2000;
const stuckReaders = 20;
/**
 * The task itself, whose text is some 40 MB, and its log are in memory here. Kept for every reader that
 * does not read, the text would take 800 MB beyond that.
 */
const maxGrowthBytes = 200 * 1024 * 1024;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

function chunkOf(number: number): string {
  return `${number} `.padEnd(chunkBytes, "x");
}

/** What one collection finds of buffers is counted off in the next. */
function usedBytes(): number {
  collectGarbage();
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

it("readers that never read take no memory and hold nobody up", async () => {
  verifies("stream:immediate-feedback");
  const gate = createGate();
  const talker = agent({
    name: "Talker",
    description: "Talks a lot",
    async *run() {
      yield { status: "here" };
      await gate.opened;
      for (let number = 1; number <= chunks; number += 1) {
        yield chunkOf(number);
      }
    },
  });
  await using server = await openServer({
    agent: {
      "/talk": talker,
      "/echo": agent({ name: "Echo", description: "…", run: ({ text }) => text }),
    },
  });
  const url = server.url;
  const [, options] = write("1.0", "sendStreamingMessage", textMessage("go"));
  using good = await openEvents(url, "POST /talk", options);
  const events = eventsOf(good);
  const first = await events.next();
  const id: string = first.value?.data.result.task.id;

  // The head of the answer is read, and then not one byte of what follows.
  const stuck = await Promise.all(
    Array.from({ length: stuckReaders }, () => open(url, `GET /talk/tasks/${id}:subscribe`)),
  );
  const before = usedBytes();
  gate.open();

  let seen = 0;
  let echoes = 0;
  for await (const { data } of events) {
    const [part] = data.result.artifactUpdate?.artifact.parts ?? [];
    if (part === undefined) continue;
    seen += 1;
    if (part.text !== chunkOf(seen)) expect.fail(`expected chunk ${seen}, got ${part.text}`);
    if (seen % 1000 !== 0) continue;
    const answer = await send(url, "POST /echo/message:send", { json: say("still there?") });
    expect(answer.text).toContain("still there?");
    echoes += 1;
  }
  const after = usedBytes();
  for (const reader of stuck) expect(reader.destroyed).toBe(false);
  expect(seen).toBe(chunks);
  expect(echoes).toBeGreaterThanOrEqual(20);
  expect(after - before).toBeLessThan(maxGrowthBytes);
  for (const reader of stuck) reader.destroy();
});

it("a reader that falls behind gets everything once it reads", async () => {
  await using server = await openServer();
  const params = say("stream 20000 0", {}, { returnImmediately: true });
  const { result } = await call(server.url, "SendMessage", params);
  const { id } = result.task;
  using late = await openEvents(server.url, ...write("1.0", "subscribeToTask", { id }));
  await call(server.url, "SendMessage", say("echo x"));
  let text = "";
  let isDone = false;
  for await (const { data } of eventsOf(late)) {
    const { task, artifactUpdate, statusUpdate } = data.result;
    const parts = task?.artifacts?.[0]?.parts ?? artifactUpdate?.artifact.parts ?? [];
    text += parts.map((part: { text: string }) => part.text).join("");
    isDone ||= statusUpdate?.status.state === "TASK_STATE_COMPLETED";
    // Gives the writer its head start again and again.
    if (text.length % 97 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  expect(isDone).toBe(true);
  const expected = Array.from({ length: 20_000 }, (_, index) => `chunk ${index + 1} `).join("");
  expect(text === expected).toBe(true);
});
