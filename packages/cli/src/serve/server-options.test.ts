import { expect, it } from "vitest";
import { parseFlags } from "./flags.js";
import { readServerOptions } from "./server-options.js";

const read = (...args: string[]) => readServerOptions(parseFlags(args).flags, "10");

it("limits become settings of the server", async () => {
  const args = ["--max-runs", "5", "--max-task-size", "2mb", "--max-tasks", "7", "--rate", "3"];
  const options = await read(...args, "--retention", "7d", "--waiting-retention", "1h");
  expect(options).toMatchObject({
    settings: {
      maxConcurrentRuns: 5,
      maxTaskBytes: 2 * 1024 * 1024,
      maxTasksPerPrincipal: 7,
      retentionMs: 7 * 24 * 60 * 60 * 1000,
      waitingRetentionMs: 60 * 60 * 1000,
      stopGraceMs: 10_000,
    },
    callLimits: {
      perPrincipal: { requests: { perSecond: 3, burst: 30 } },
      perAddress: { requests: { perSecond: 3, burst: 30 } },
    },
  });
});

it("without options, only the grace is set", async () => {
  const { settings, ...others } = await read();
  expect(settings).toEqual({ stopGraceMs: 10_000 });
  expect(others).toMatchObject({ port: 4100, host: "127.0.0.1", grpc: { port: 4101 } });
  expect(others).not.toHaveProperty("callLimits");
});
