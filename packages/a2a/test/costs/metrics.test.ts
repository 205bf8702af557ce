import { execFile } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { agent, connect } from "@parley/a2a";
import type { Instrument, Metrics } from "@parley/a2a";
import { serve } from "@parley/a2a/node";
import { createMemoryStore } from "@parley/a2a/store/memory";

/** Counts the series that are looked up, and the values that are added, by the name of the instrument. */
class CountingMetrics implements Metrics {
  readonly lookups: Record<string, number> = {};
  readonly values: Record<string, number> = {};

  counter({ name }: Instrument): () => void {
    return this.#open(name);
  }

  histogram({ name }: Instrument): () => void {
    return this.#open(name);
  }

  gauge({ name }: Instrument): () => void {
    this.#open(name);
    return () => undefined;
  }

  #open(name: string): () => void {
    this.lookups[name] = (this.lookups[name] ?? 0) + 1;
    return () => {
      this.values[name] = (this.values[name] ?? 0) + 1;
    };
  }
}

const counting = agent({
  name: "Counting",
  description: "Says so many chunks",
  async *run({ text }) {
    for (let said = 0; said < Number(text); said += 1) yield `${said} `;
  },
});

/** What a stream of so many chunks asks of the metrics. */
async function askedBy(chunks: number): Promise<CountingMetrics> {
  const metrics = new CountingMetrics();
  await using server = await serve(counting, {
    port: 0,
    store: createMemoryStore(),
    telemetry: { metrics },
  });
  const remote = await connect(server.url);
  let heard = 0;
  for await (const _ of remote.stream(`${chunks}`)) heard += 1;
  expect(heard).toBeGreaterThan(chunks / 2);
  await expect.poll(() => metrics.values["a2a.server.requests"]).toBe(1);
  return metrics;
}

it("a chunk looks up no series, and adds to no more than what its commit counts", async () => {
  const [few, many] = [await askedBy(4), await askedBy(400)];
  expect(many.lookups).toEqual(few.lookups);
  // Each commit of a stream is counted, and chunks share commits. Everything else is counted once a call or once a task.
  const perCommit = new Set([
    "parley.event.appended",
    "parley.append.batch_size",
    "parley.append.duration",
    "db.client.operation.duration",
  ]);
  const rest = ({ values }: CountingMetrics) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => !perCommit.has(name)));
  expect(rest(many)).toEqual(rest(few));
  expect(rest(many)).toMatchObject({
    "a2a.server.request.duration": 1,
    "a2a.server.stream.first_event": 1,
    "parley.run.duration": 1,
    "parley.task.created": 1,
    "parley.task.ended": 1,
  });
});

it("a call looks up no series that a call like it has looked up before", async () => {
  const metrics = new CountingMetrics();
  await using server = await serve(counting, {
    port: 0,
    store: createMemoryStore(),
    telemetry: { metrics },
  });
  const remote = await connect(server.url, { telemetry: { metrics } });
  await remote.send("2");
  const after = { ...metrics.lookups };
  for (let count = 0; count < 5; count += 1) await remote.send("2");
  await expect.poll(() => metrics.values["parley.task.ended"]).toBe(6);
  expect(metrics.lookups).toEqual(after);
});

it("an event allocates nothing on its way through a service that measures, and neither does a value that is added", async () => {
  const script = fileURLToPath(new URL("./take-measured.mjs", import.meta.url));
  const flags = ["--expose-gc", "--min-semi-space-size=64", "--max-semi-space-size=64"];
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, script]);
  const bytes = JSON.parse(stdout) as Record<"event" | "counter" | "histogram", number>;
  // The smallest object takes 16 bytes; what the measurement itself takes is spread over all rounds.
  expect(bytes.event).toBeLessThan(4);
  expect(bytes.counter).toBeLessThan(4);
  expect(bytes.histogram).toBeLessThan(4);
});
