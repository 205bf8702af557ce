import { expect, it } from "vitest";
import { agent } from "@parley/a2a/server";
import { createTestClock } from "@parley/a2a/testing";
import { createGrpcTransport } from "../../src/grpc/index.js";
import { ask, isRest, textMessage, write } from "../support/clients/dialect-client.js";
import type { Speech } from "../support/clients/dialect-client.js";
import { collect, openEvents } from "../support/clients/event-client.js";
import { call, jsonOf, say, sayOldest, send } from "../support/clients/http-client.js";
import { addressOf } from "../support/servers/open-served.js";
import { openServer } from "../support/servers/open-server.js";

const second = 1000;
const speeches: readonly Speech[] = [
  "0.1",
  "0.3",
  "0.3+type",
  "0.3-schema",
  "0.3-proto",
  "1.0",
  "1.0 REST",
];

const asking = agent({
  name: "Asking",
  description: "Asks",
  run: async ({ ask }) => void (await ask("Which one?")),
});

const settings = { waitingRetentionMs: 10 * second, leaseMs: second };
const failed = /^(?:TASK_STATE_)?failed$/i;
const reason = "Nobody answered within 10 seconds.";

it.each(speeches)("a task that nobody has answered in time has failed in %s", async (speech) => {
  const clock = createTestClock();
  await using server = await openServer({ agent: asking, clock, settings });
  const id = "t1";
  if (speech === "0.1") await call(server.url, "tasks/send", sayOldest(id, "go"));
  const { result } =
    speech === "0.1" ? {} : await ask(server.url, speech, "sendMessage", textMessage("go"));
  const request = { id: result?.task?.id ?? id };
  const events = await openEvents(server.url, ...write(speech, "subscribeToTask", request));
  await clock.advance(12 * second);
  // Whether the stream stays open while the task waits is up to the version.
  const told = await collect(events);
  const answer = jsonOf(await send(server.url, ...write(speech, "getTask", request)));
  const { status } = isRest(speech) ? answer : answer.result;
  expect(status.state).toMatch(failed);
  expect(JSON.stringify(status.message)).toContain(reason);
  expect(JSON.stringify(told.at(-1)?.data)).toContain(reason);
});

it.each(["0.3", "1.0"] as const)("it has failed over gRPC %s", async (version) => {
  const clock = createTestClock();
  await using server = await openServer({ agent: asking, clock, settings, grpc: { port: 0 } });
  const transport = createGrpcTransport({ address: addressOf(server), version });
  const { result } = await call(server.url, "SendMessage", say("go"));
  await clock.advance(12 * second);
  const { status } = await transport.getTask({ id: result.task.id }, { version });
  expect(status.state).toBe("TASK_STATE_FAILED");
  expect(status.message?.parts).toEqual([{ text: reason }]);
  transport.close();
});
