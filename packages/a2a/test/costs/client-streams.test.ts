import { expect, it } from "vitest";
import { connect } from "@parley/a2a";
import { promisesOf } from "./promises-of.js";

const card = {
  name: "Streamer",
  description: "Streams",
  version: "1",
  supportedInterfaces: [
    { url: "http://agent.example/", protocolBinding: "JSONRPC", protocolVersion: "1.0" },
  ],
  capabilities: { streaming: true },
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [],
};

const ids = { taskId: "t", contextId: "c" };
const artifact = { artifactId: "answer", parts: [{ text: "a token" }] };
const status = { state: "TASK_STATE_COMPLETED" };

/** A connection whose every read brings so many chunks of a task. */
function answer(id: number, chunks: number, perRead: number): Response {
  const results = [
    ...Array.from({ length: chunks }, () => ({
      artifactUpdate: { ...ids, artifact, append: true },
    })),
    { statusUpdate: { ...ids, status } },
  ];
  const events = results.map(
    (result, at) => `id: ${at + 1}\ndata: ${JSON.stringify({ jsonrpc: "2.0", id, result })}\n\n`,
  );
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (events.length === 0) controller.close();
      else controller.enqueue(new TextEncoder().encode(events.splice(0, perRead).join("")));
    },
  });
  return new Response(body, { headers: { "Content-Type": "text/event-stream" } });
}

it("an event that comes with others takes a client few promises", async () => {
  const agent = await connect(card, {
    fetch: async (_, { body }) => {
      const { id } = JSON.parse(body as string) as { readonly id: number };
      return answer(id, 1000, 50);
    },
  });
  const listen = async (): Promise<void> => {
    let heard = 0;
    for await (const _ of agent.stream("Go")) heard += 1;
    expect(heard).toBe(1001);
  };
  await listen();
  // With a hop of its own through every layer an event took 42.
  expect(Math.floor((await promisesOf(listen)) / 1000)).toBeLessThanOrEqual(7);
});
