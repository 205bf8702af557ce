import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { agent } from "@parley/a2a";
import { createLog, serve } from "@parley/a2a/node";
import type { Server } from "@parley/a2a/node";
import { createMemoryStore } from "@parley/a2a/store/memory";
import { connectOver, interfaces } from "../client/open-agent.js";
import { RawClient } from "../support/clients/raw-grpc-client.js";
import { rpc, say, send } from "../support/clients/http-client.js";
import { findPromtool } from "../support/postgres/find-programs.js";
import { readSamples, scrape, valueOf } from "./read-samples.js";
import type { Sample } from "./read-samples.js";
import { promtool } from "./run-promtool.js";

/** What callers send that must not be seen by operators. */
const canary = "CANARY-7f3a";

const demo = agent({
  name: "Demo",
  description: "Streams, asks or fails, as it is told",
  async *run({ text, ask }) {
    if (text.startsWith("fail")) throw new Error("a mistake");
    if (text.startsWith("ask")) await ask("Which one?");
    yield "a ";
    yield "b";
  },
});

let server: Server;
const lines: string[] = [];

beforeAll(async () => {
  server = await serve(demo, {
    port: 0,
    grpc: { port: 0 },
    store: createMemoryStore(),
    metrics: { port: 0 },
    telemetry: { log: createLog({ level: "debug", write: (line) => void lines.push(line) }) },
  });
});
afterAll(() => server.close());

async function read(): Promise<readonly Sample[]> {
  return readSamples(await scrape(server.metricsUrl));
}

describe.each(interfaces)("over %s %s", (binding, version) => {
  it("calls are counted by method and timed, errors by their codes, streams until their end", async () => {
    const before = await read();
    const caller = await connectOver(server.url, [binding, version], {
      grpcAddress: server.grpcAddress,
    });
    const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: "hello" }] } as const;
    await caller.service.sendMessage({ message });
    for await (const _ of caller.stream("hello")) void _;
    await expect(caller.service.getTask({ id: "nobody-has-it" })).rejects.toThrow();
    // A server ends the streams when its caller has read them already.
    const counted = async (): Promise<readonly (number | undefined)[]> => {
      const after = await read();
      const grown = (name: string, labels: Record<string, string>): number =>
        (valueOf(after, name, labels) ?? 0) - (valueOf(before, name, labels) ?? 0);
      // What 0.2 and 0.3 write is the same.
      const ofCall = {
        a2a_protocol_binding: binding,
        a2a_protocol_version: version === "0.2" ? "0.3" : version,
      };
      const ofMethod = (method: string) => ({
        a2a_method_name: method,
        a2a_protocol_binding: binding,
      });
      const requests = "a2a_server_requests_total";
      return [
        grown(requests, { ...ofCall, a2a_method_name: "SendMessage" }),
        grown(requests, { ...ofCall, a2a_method_name: "SendStreamingMessage" }),
        grown(requests, { ...ofCall, a2a_method_name: "GetTask", error_type: "TASK_NOT_FOUND" }),
        grown("a2a_server_request_duration_seconds_count", ofMethod("SendStreamingMessage")),
        grown("a2a_server_stream_first_event_seconds_count", ofMethod("SendStreamingMessage")),
        valueOf(after, "a2a_server_active_streams", ofMethod("SendStreamingMessage")),
        grown("parley_task_created_total", {}),
        grown("parley_task_ended_total", { a2a_task_state: "TASK_STATE_COMPLETED" }),
        grown("parley_run_duration_seconds_count", {}),
      ];
    };
    await expect.poll(counted, { timeout: 5000 }).toEqual([1, 1, 1, 1, 1, 0, 2, 2, 2]);
  });
});

it("what is refused before it reaches an agent is counted, under no method of its caller's", async () => {
  await send(server.url, "POST /", rpc(`${canary}/method`, {}));
  await send(server.url, `GET /${canary}`);
  const samples = await read();
  const other = { a2a_method_name: "_OTHER", a2a_protocol_version: "_OTHER" };
  for (const a2a_protocol_binding of ["JSONRPC", "HTTP+JSON"]) {
    const refused = valueOf(samples, "a2a_server_requests_total", {
      ...other,
      a2a_protocol_binding,
    });
    expect(refused).toBeGreaterThan(0);
  }
});

it("a caller's trace is the example of a bucket, in OpenMetrics alone", async () => {
  const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
  const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
  await send(server.url, "POST /", { ...rpc("SendMessage", say("hello")), headers });
  const openMetrics = await scrape(
    server.metricsUrl,
    "application/openmetrics-text; version=1.0.0",
  );
  expect(openMetrics).toContain(`# {trace_id="${traceId}"}`);
  expect(openMetrics.endsWith("# EOF\n")).toBe(true);
  expect(readSamples(openMetrics).length).toBe((await read()).length);
  expect(await scrape(server.metricsUrl)).not.toContain(traceId);
});

it("nothing but /metrics is served beside the agents, and only to be read", async () => {
  const { origin } = new URL(server.metricsUrl ?? "");
  expect((await fetch(`${origin}/`)).status).toBe(404);
  expect((await fetch(`${origin}/metrics`, { method: "POST" })).status).toBe(405);
  const head = await fetch(`${origin}/metrics?from=prometheus`, { method: "HEAD" });
  expect([head.status, head.headers.get("content-type")]).toEqual([
    200,
    "text/plain; version=0.0.4; charset=utf-8",
  ]);
  expect((await fetch(`${server.url}/metrics`)).status).toBe(404);
});

it("values that callers choose add no series, over any binding, and are not told anywhere", async () => {
  const grpc = new RawClient(server.grpcAddress ?? "");
  const hostile = Array.from({ length: 12 }, (_, index) => `${canary}-${index}`);
  const url = `https://user:${canary}@hook.example/${canary}?token=${canary}`;
  const message = (words: string) => ({
    messageId: words,
    contextId: words,
    role: "ROLE_USER",
    parts: [{ text: words }, { data: { [words]: words } }, { url: `https://f.example/${words}` }],
    metadata: { [words]: words },
    extensions: [`https://x.example/${words}`],
  });
  for (const words of hostile) {
    const headers = {
      "A2A-Version": words,
      "A2A-Extensions": words,
      "User-Agent": words,
      "X-Request-Id": words,
      Authorization: `Bearer ${words}`,
      Cookie: words,
      traceparent: words,
      "Idempotency-Key": words,
    };
    const known = { ...headers, "A2A-Version": "1.0" };
    const body = { message: message(words), tenant: words, metadata: { [words]: words } };
    const withHook = {
      ...body,
      configuration: { taskPushNotificationConfig: { url, token: words } },
    };
    await Promise.all([
      send(server.url, "POST /", { ...rpc("SendMessage", body), headers }),
      send(server.url, "POST /", { ...rpc("SendMessage", body), headers: known }),
      send(server.url, "POST /", { ...rpc("SendMessage", withHook), headers: known }),
      send(server.url, "POST /", { ...rpc(words, { id: words }), headers: known }),
      send(server.url, "POST /", { ...rpc("GetTask", { id: words }), headers: known }),
      send(server.url, "POST /", { ...rpc("tasks/get", { id: words }) }),
      send(server.url, `GET /v1/tasks/${words}?historyLength=${words}`),
      send(server.url, `GET /tasks/${words}?pageToken=${words}`, { headers: known }),
      send(server.url, `POST /message:send`, { json: body, headers: known }),
      send(server.url, `GET /${words}?${words}`),
      grpc.call("1.0", "GetTask", { id: words, tenant: words }).catch(() => undefined),
      grpc
        .call("1.0", "SendMessage", {
          message: { ...message(words), parts: [{ text: `fail ${words}` }] },
        })
        .catch(() => undefined),
    ]);
  }
  await send(server.url, "POST /", { ...rpc("SendMessage", say(`fail ${canary}`)) });
  grpc.client.close();
  const [text, open] = [
    await scrape(server.metricsUrl),
    await scrape(server.metricsUrl, "application/openmetrics-text"),
  ];
  expect(readSamples(text).length).toBeLessThan(2000);
  expect(valueOf(readSamples(text), "parley_metrics_dropped")).toBe(0);
  expect(text + open).not.toContain(canary);
  // The handler has failed, so that there is something to tell.
  expect(lines.some((line) => line.includes("run.failed"))).toBe(true);
  expect(lines.join("\n")).not.toContain(canary);
  expect((await send(server.url, "GET /readyz")).text).not.toContain(canary);
});

const { isThere, name } = findPromtool();
it.skipIf(!isThere)(`the text is what Prometheus reads ${name}`, async () => {
  const { said } = await promtool(["check", "metrics"], await scrape(server.metricsUrl));
  // It also has opinions on names, which are those of the conventions of OpenTelemetry.
  expect(said).not.toMatch(/error while linting|invalid|unexpected|parse/iu);
});
