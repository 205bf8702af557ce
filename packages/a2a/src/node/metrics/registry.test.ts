import { expect, it } from "vitest";
import { instruments } from "../../protocol/telemetry/internal.js";
import { expose } from "./exposition.js";
import { Registry } from "./registry.js";

it("a registry that is full counts what is new together, within 2,000 lines and half of them an instrument", () => {
  const told: string[] = [];
  const registry = new Registry({ overflowed: (instrument) => told.push(instrument) });
  for (let number = 0; number < 3000; number += 1) {
    const labels = { "gen_ai.agent.name": `agent ${number}` };
    registry.counter(instruments.taskCreated, labels)(1);
    registry.histogram(instruments.runDuration, labels)(0.01);
  }
  const lines = expose(registry, "text").split("\n");
  const samples = lines.filter((line) => line !== "" && !line.startsWith("#"));
  expect(samples.length).toBeGreaterThan(1900);
  // The series that stand for the others, one an instrument, come on top.
  const own = samples.filter((line) => !line.includes("otel_metric_overflow"));
  expect(own.length).toBeLessThanOrEqual(2000);
  const counters = samples.filter((line) => line.startsWith("parley_task_created_total"));
  expect(counters.length).toBeLessThanOrEqual(1001);
  const sum = counters.reduce((all, line) => all + Number(line.split(" ").at(-1)), 0);
  expect(sum).toBe(3000);
  expect(counters.some((line) => line.includes("otel_metric_overflow"))).toBe(true);
  expect(told.length).toBe(1);
});

it("a series that is asked for twice is the same one", () => {
  const registry = new Registry();
  const { size } = registry;
  const labels = { "gen_ai.agent.name": "Echo" };
  registry.counter(instruments.taskCreated, labels)(1);
  registry.counter(instruments.taskCreated, labels)(1);
  expect(registry.size).toBe(size + 1);
});
