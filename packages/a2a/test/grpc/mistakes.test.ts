import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { openGrpcServer } from "@parley/a2a/grpc";
import type { GrpcServerOptions } from "@parley/a2a/grpc";
import { agent, openRuntime } from "@parley/a2a/server";
import { createMemoryStore } from "@parley/a2a/store/memory";
import { createStubService } from "../http/stub-service.js";

const echo = agent({ name: "Echo", description: "Repeats", run: () => "x" });
const mountable = {
  service: createStubService(() => expect.fail("not called")),
  card: () => echo.card([]),
};

describe("openGrpcServer() refuses", () => {
  it.each<[string, unknown, unknown, string]>([
    [
      "an agent",
      echo,
      {},
      '"Echo" is an agent without a runtime; expected a runtime: await openRuntime({ agent, store })',
    ],
    ["a port as options", mountable, 4101, "options is 4101; expected an object"],
    ["a misspelt option", mountable, { prot: 1 }, "prot is unknown; did you mean port?"],
    [
      "an option of HTTP",
      mountable,
      { publicUrl: "https://a.example" },
      "publicUrl is unknown; expected one of mounts, limits, strict, fileBytes, trustsProxy, auth, reportFailure, " +
        "telemetry, trustTraceparent, port, host, tls, drainMs, keepaliveMs, isReady, healthCheckMs, reflection, requestMs, maxConnections, " +
        "maxConcurrentStreams, maxElements, maxEarlyBytes, maxBytesInFlight, maxBytesInFlightPerConnection",
    ],
    [
      "a port in words",
      mountable,
      { port: "abc" },
      'port is "abc"; expected a whole number from 0 to 65535',
    ],
    [
      "a port beyond the last",
      mountable,
      { port: 70_000 },
      "port is 70000; expected a whole number from 0 to 65535",
    ],
    [
      "a host that is none",
      mountable,
      { host: 1 },
      'host is 1; expected an address, such as "127.0.0.1"',
    ],
    [
      "a time that is none",
      mountable,
      { keepaliveMs: -1 },
      "keepaliveMs is -1; expected a whole number of milliseconds from 1 to 2147483647 (24 days)",
    ],
    [
      "a key as a string, without showing it",
      mountable,
      { tls: { key: "-----BEGIN", certificate: Buffer.from("x") } },
      "tls.key is a string; expected a Buffer with PEM, such as await readFile(path)",
    ],
  ])("%s", async (_, given, options, problem) => {
    const opening = openGrpcServer(given as typeof mountable, options as GrpcServerOptions);
    await expect(opening).rejects.toThrow(new Error(`openGrpcServer(): ${problem}`));
  });

  it("a port that is taken, with what to do", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    await using runtime = await openRuntime({ agent: echo, store: createMemoryStore() });
    await expect(openGrpcServer(runtime, { port })).rejects.toMatchObject({
      message: `port ${port} is in use; choose another with { port } or stop the other program`,
      code: "EADDRINUSE",
    });
    other.close();
  });
});
