import { expect, test } from "vitest";
import { agent } from "@parley/a2a";
import { connect } from "@parley/a2a/client";
import { serve } from "@parley/a2a/node";
import type { HttpHandler } from "@parley/a2a/http";
import { createInspector } from "@parley/inspector";

const chunks = 100;

const streaming = agent({
  name: "Streaming",
  description: "Streams a hundred chunks",
  async *run() {
    for (let one = 0; one < chunks; one += 1) yield `chunk ${one} `;
  },
});

/** Streams, and counts the pieces that the server has written. */
async function countPieces(isInspected: boolean): Promise<{ events: number; text: string }> {
  const inspector = createInspector({ port: 0, receiverPort: false });
  await using server = await serve(streaming, {
    port: 0,
    store: "memory:",
    ...(isInspected && { inspector }),
  });
  const remote = await connect(server.url);
  let events = 0;
  let text = "";
  for await (const event of remote.stream("go")) {
    events += 1;
    if (event.kind !== "artifact") continue;
    text += event.artifact.parts.map((part) => ("text" in part ? part.text : "")).join("");
  }
  return { events, text };
}

test("a server without an inspector has nothing in front of its handler", async () => {
  const watched: HttpHandler[] = [];
  const inspector = createInspector({ port: 0, receiverPort: false });
  const counting = {
    watch(handle: HttpHandler) {
      watched.push(handle);
      return inspector.watch(handle);
    },
    open: (...given: Parameters<typeof inspector.open>) => inspector.open(...given),
  };
  await (await serve(streaming, { port: 0, store: "memory:" })).close();
  expect(watched).toHaveLength(0);
  await (await serve(streaming, { port: 0, store: "memory:", inspector: counting })).close();
  expect(watched).toHaveLength(1);
});

test("a stream is the same for its caller with an inspector and without", async () => {
  const [plain, inspected] = [await countPieces(false), await countPieces(true)];
  expect(inspected.text).toBe(plain.text);
  expect(plain.text).toContain(`chunk ${chunks - 1} `);
});
