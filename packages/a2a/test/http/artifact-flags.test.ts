import { agent } from "@parley/a2a/server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Server } from "@parley/a2a/node";
import { payloadOf, textMessage, write } from "../support/clients/dialect-client.js";
import type { Speech } from "../support/clients/dialect-client.js";
import { collect, openEvents } from "../support/clients/event-client.js";
import { call, sayOldest } from "../support/clients/http-client.js";
import type { JsonBody } from "../support/clients/http-client.js";
import { RawClient, say, say03 } from "../support/clients/raw-grpc-client.js";
import type { Version } from "../support/clients/raw-grpc-client.js";
import { openServer } from "../support/servers/open-server.js";
import { addressOf } from "../support/servers/open-served.js";

/** Streams an answer in two chunks, an artifact in two chunks, and an artifact that is whole. */
const writer = agent({
  name: "Writer",
  description: "Writes artifacts in every way there is",
  async *run() {
    yield "one ";
    yield "two";
    yield { artifact: "grown", text: "a", append: false };
    yield { artifact: "grown", text: "b", append: true, lastChunk: true };
    yield { artifact: "whole", text: "all of it" };
  },
});

let server: Server;

beforeAll(async () => {
  server = await openServer({ agent: writer, grpc: { port: 0 } });
});
afterAll(() => server.close());

/** What each chunk says, in its order: whether it appends, and whether it is the last of its artifact. */
const chunks = [
  ["one ", false, false],
  ["two", true, false],
  ["a", false, false],
  ["b", true, true],
  ["all of it", false, true],
  // The answer is over when its run is.
  ["", true, true],
] as const;

/** An artifact update without its wrapper, or `undefined` for any other event. */
function artifactIn(payload: JsonBody): JsonBody {
  const update = payload.artifactUpdate ?? payload;
  return update.artifact === undefined ? undefined : update;
}

function textOf({ artifact }: JsonBody): string {
  return artifact.parts[0].text;
}

/** The dialects of 0.x in JSON say both; ProtoJSON leaves out what is false. */
const speeches: readonly (readonly [Speech, saysFalse: boolean])[] = [
  ["0.1", true],
  ["0.3", true],
  ["0.3+type", true],
  ["0.3-schema", true],
  ["0.3-proto", false],
  ["1.0", false],
  ["1.0 REST", false],
];

describe("the chunks of a stream", () => {
  it.each(speeches)(
    "say in %s whether they append and whether they are the last",
    async (speech, saysFalse) => {
      const taskId = speech === "0.1" ? { taskId: crypto.randomUUID() } : {};
      const request = textMessage("go", taskId);
      using stream = await openEvents(
        server.url,
        ...write(speech, "sendStreamingMessage", request),
      );
      const payloads = (await collect(stream)).map((event) => payloadOf(speech, event));
      const updates = payloads.map(artifactIn).filter((update) => update !== undefined);
      const flags = updates.map((update) => {
        const { append, lastChunk } = speech === "0.1" ? update.artifact : update;
        return [textOf(update), append, lastChunk];
      });
      const unsaid = saysFalse ? false : undefined;
      const expected = chunks.map(([text, append, lastChunk]) => [
        text,
        append || unsaid,
        lastChunk || unsaid,
      ]);
      expect(flags).toEqual(expected);
    },
  );

  it.each<[Version, JsonBody]>([
    ["0.3", say03("go")],
    ["1.0", say("go")],
  ])("say so over gRPC %s", async (version, request) => {
    const client = new RawClient(addressOf(server));
    try {
      const { events } = await client.collect(version, "SendStreamingMessage", request);
      const updates = events.map(artifactIn).filter((update) => update !== undefined);
      const flags = updates.map((update: JsonBody) => [
        textOf(update),
        update.append ?? false,
        update.lastChunk ?? false,
      ]);
      expect(flags).toEqual(chunks);
    } finally {
      client.close();
    }
  });
});

describe("the artifacts of a task of 0.1", () => {
  it("are whole once the task has ended, however they are read", async () => {
    const { result: sent } = await call(server.url, "tasks/send", sayOldest("ended", "go"));
    const { result: read } = await call(server.url, "tasks/get", { id: "ended" });
    for (const { artifacts } of [sent, read]) {
      const whole = { append: false, lastChunk: true };
      expect(artifacts).toMatchObject([
        { index: 0, ...whole },
        { index: 1, ...whole },
        { index: 2, ...whole },
      ]);
    }
  });
});
