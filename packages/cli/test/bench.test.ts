import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { agent } from "@parley/a2a";
import { serve } from "@parley/a2a/node";
import type { Server } from "@parley/a2a/node";
import { createMemoryStore } from "@parley/a2a/store/memory";
import { runHere } from "./run-here.js";

let server: Server;
let running = 0;
let most = 0;
let answered = 0;

beforeAll(async () => {
  const counting = agent({
    name: "Counting",
    description: "Counts its callers",
    version: "1",
    async *run({ text }) {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running -= 1;
      answered += 1;
      if (text === "fail") throw new Error("no");
      yield text;
    },
  });
  server = await serve(counting, { port: 0, store: createMemoryStore(), grpc: false });
});

afterAll(() => server[Symbol.asyncDispose]());

interface Report {
  readonly requests: number;
  readonly answered: number;
  readonly latencyMs: { readonly p50: number; readonly p99: number };
  readonly firstEventMs?: object;
  readonly histogram: readonly { readonly count: number }[];
}

describe("parley bench", () => {
  it("makes as many requests as it is told, not more at a time, and counts each in the histogram", async () => {
    const load = ["--requests", "40", "--concurrency", "4"];
    const { code, stdout } = await runHere("bench", server.url, ...load, "-o", "json");
    expect(code).toBe(0);
    const report = JSON.parse(stdout) as Report;
    expect(report).toMatchObject({ requests: 40, answered: 40 });
    expect(answered).toBe(40);
    expect(most).toBeLessThanOrEqual(4);
    expect(report.histogram.reduce((sum, { count }) => sum + count, 0)).toBe(40);
    expect(report.latencyMs.p50).toBeLessThanOrEqual(report.latencyMs.p99);
  });

  it("measures the first event of streams too", async () => {
    const { stdout } = await runHere(
      "bench",
      server.url,
      "--requests",
      "4",
      "--stream",
      "-o",
      "json",
    );
    expect(JSON.parse(stdout)).toMatchObject({
      answered: 4,
      firstEventMs: { max: expect.any(Number) as number },
    });
  });

  it("prints percentiles and a histogram, and stops when the time is over", async () => {
    const load = ["--requests", "100000", "--duration", "100ms"];
    const { code, stdout } = await runHere("bench", server.url, ...load);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Latency: min [\d.]+, p50 [\d.]+, .* ms$/m);
    expect(stdout).toMatch(/^\d+-\d+ ms: \d+ #+$/m);
  });

  it("refuses loads beyond its bounds", async () => {
    const { code, stderr } = await runHere("bench", server.url, "--concurrency", "1000");
    expect(code).toBe(2);
    expect(stderr).toContain("--concurrency must be a whole number from 1 to 256, not 1000");
  });
});
