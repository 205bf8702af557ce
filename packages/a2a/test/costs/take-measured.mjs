/**
 * Prints how many bytes of the heap it takes to pass an event through a service that measures, and to add to a counter
 * and to a histogram. Usage: node --expose-gc --min-semi-space-size=… take-measured.mjs
 */
import process from "node:process";
import { createService } from "@parley/a2a";
import { Registry } from "../../dist/node/metrics/registry.js";
import { instruments, measured } from "../../dist/protocol/telemetry/internal.js";

const rounds = 100_000;
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

const metrics = new Registry();
const service = measured(
  createService(async () => ({}), stream),
  { metrics },
);
const taken = service.subscribeToTask({ id: "t" }, { version: "1.0" })[Symbol.asyncIterator]();
const count = metrics.counter(instruments.eventAppended, { "parley.store": "memory" });
const time = metrics.histogram(instruments.appendDuration, { "parley.store": "memory" });
const found = {
  event: bytesOf(() => {
    if (taken.take() === undefined) throw new Error("an event is missing");
  }),
  counter: bytesOf(() => count(1)),
  histogram: bytesOf(() => time(0.25)),
};
process.stdout.write(JSON.stringify(found));

function bytesOf(work) {
  repeat(work);
  globalThis.gc();
  const before = process.memoryUsage().heapUsed;
  repeat(work);
  return (process.memoryUsage().heapUsed - before) / rounds;
}

function repeat(work) {
  for (let round = 0; round < rounds; round += 1) work();
}
