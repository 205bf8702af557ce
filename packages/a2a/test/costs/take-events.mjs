/**
 * Prints how many bytes of the heap it takes to pass an event through a service that traces, with spans that nobody
 * sees and with spans that somebody does. Usage: node --expose-gc --min-semi-space-size=… take-events.mjs
 */
import process from "node:process";
import { createService, traced } from "@parley/a2a";

const events = 100_000;

const event = { response: { artifactUpdate: { taskId: "t", contextId: "c" } }, sequence: 1 };

/** A stream whose events are all there. */
function stream() {
  return {
    take: () => event,
    isOver: false,
    onReady: (reader) => reader.wake(),
    next: async () => ({ done: true, value: undefined }),
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

const service = createService(async () => ({}), stream);
const found = {};
for (const isRecording of [false, true]) {
  const span = {
    context: { traceparent: `00-${"1".repeat(32)}-${"2".repeat(16)}-0${Number(isRecording)}` },
    isRecording,
    set() {},
    link() {},
    event() {},
    fail() {},
    end() {},
    within: (work) => work(),
    goOnIn() {},
  };
  const card = { name: "A", version: "1", description: "" };
  const tracer = { startSpan: () => span, active: () => undefined };
  const tracing = traced(service, { tracer, kind: "server", card });
  const taken = tracing.subscribeToTask({ id: "t" }, { version: "1.0" })[Symbol.asyncIterator]();
  take(taken);
  globalThis.gc();
  const before = process.memoryUsage().heapUsed;
  take(taken);
  found[isRecording ? "seen" : "unseen"] = (process.memoryUsage().heapUsed - before) / events;
}
process.stdout.write(JSON.stringify(found));

function take(taken) {
  for (let count = 0; count < events; count += 1) {
    if (taken.take() === undefined) throw new Error("an event is missing");
  }
}
