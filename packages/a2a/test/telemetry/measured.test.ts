import { describe, expect, it } from "vitest";
import { A2AError, createService } from "../../src/protocol/internal.js";
import type { CallContext, StreamEvent } from "../../src/protocol/internal.js";
import { measured } from "../../src/protocol/telemetry/internal.js";
import { createDeferred } from "../support/time/deferred.js";
import { createNodeMetrics } from "./read-registry.js";

const call: CallContext = { version: "0.3" };
const event: StreamEvent = { response: { task: taskOf() }, sequence: 1 };

function taskOf() {
  return { id: "t", contextId: "c", status: { state: "TASK_STATE_WORKING" } } as const;
}

/** A service whose answers take as long as the test says, with what is counted of its calls. */
function openMeasured(side: "client" | "server") {
  const counted = createNodeMetrics();
  const { metrics, value } = counted;
  let ms = 1000;
  const gates = { first: createDeferred<void>(), last: createDeferred<void>() };
  const answered = createDeferred<object>();
  const inner = createService(
    () => answered.promise,
    async function* () {
      await gates.first.promise;
      yield event;
      await gates.last.promise;
      yield event;
    },
  );
  const service = measured(inner, { metrics, side, binding: "GRPC", now: () => ms });
  const name = `a2a_${side}_request_duration_seconds`;
  const of = (method: string) => ({ a2a_method_name: method, a2a_protocol_binding: "GRPC" });
  const timed = (method: string): readonly (number | undefined)[] => [
    value(`${name}_count`, of(method)),
    value(`${name}_sum`, of(method)),
  ];
  const answers = (method: string, error_type?: string): number | undefined => {
    const labels = { ...of(method), a2a_protocol_version: "0.3" };
    const found = counted
      .samples()
      .find(
        (one) =>
          one.name === `a2a_${side}_requests_total` &&
          one.labels["error_type"] === error_type &&
          Object.entries(labels).every(([key, label]) => one.labels[key] === label),
      );
    return found?.value;
  };
  return {
    service,
    answered,
    gates,
    value,
    timed,
    answers,
    of,
    wait: (more: number) => (ms += more),
  };
}

describe.each(["client", "server"] as const)("a call that a %s measures", (side) => {
  it("is timed until its answer, and counted under its method, version and binding", async () => {
    const { service, answered, timed, answers, wait } = openMeasured(side);
    const sent = service.getTask({ id: "t" }, call);
    wait(250);
    expect(answers("GetTask")).toBeUndefined();
    answered.resolve(taskOf());
    await sent;
    expect(timed("GetTask")).toEqual([1, 0.25]);
    expect(answers("GetTask")).toBe(1);
  });

  it("that fails is timed as well, and counted under the code of its error", async () => {
    const { service, answered, timed, answers, wait } = openMeasured(side);
    const sent = service.getTask({ id: "t" }, call);
    wait(40);
    answered.reject(new A2AError("TASK_NOT_FOUND", "nobody has it"));
    await expect(sent).rejects.toThrow("nobody has it");
    expect(timed("GetTask")).toEqual([1, 0.04]);
    expect([answers("GetTask"), answers("GetTask", "TASK_NOT_FOUND")]).toEqual([undefined, 1]);
  });

  it("that streams is timed until its end; a server shows it as open, and times its first event", async () => {
    const { service, gates, timed, answers, value, of, wait } = openMeasured(side);
    const method = "SubscribeToTask";
    const events = service.subscribeToTask({ id: "t" }, call)[Symbol.asyncIterator]();
    const first = events.next();
    const open = (): number | undefined => value("a2a_server_active_streams", of(method));
    const firsts = (): readonly (number | undefined)[] => [
      value("a2a_server_stream_first_event_seconds_count", of(method)),
      value("a2a_server_stream_first_event_seconds_sum", of(method)),
    ];
    expect(open()).toBe(side === "server" ? 1 : undefined);
    wait(100);
    gates.first.resolve();
    await first;
    wait(900);
    gates.last.resolve();
    await events.next();
    expect(answers(method)).toBeUndefined();
    expect((await events.next()).done).toBe(true);
    expect(timed(method)).toEqual([1, 1]);
    expect(answers(method)).toBe(1);
    expect(open()).toBe(side === "server" ? 0 : undefined);
    expect(firsts()).toEqual(side === "server" ? [1, 0.1] : [undefined, undefined]);
  });

  it("that streams and is left by its reader is counted once, as one that has ended", async () => {
    const { service, gates, timed, answers, wait } = openMeasured(side);
    gates.first.resolve();
    for await (const _ of service.subscribeToTask({ id: "t" }, call)) {
      wait(500);
      gates.last.resolve();
      break;
    }
    expect(timed("SubscribeToTask")).toEqual([1, 0.5]);
    expect(answers("SubscribeToTask")).toBe(1);
  });
});

it("a binding that a card has made up, and a method of an extension, have no series of their own", async () => {
  const { metrics, value } = createNodeMetrics();
  const inner = createService(
    async () => ({}),
    async function* () {},
  );
  const made = measured(inner, { metrics, side: "client", binding: "https://made.up/binding" });
  await made.callMethod({ method: "acme/ping", params: {} }, call);
  const other = { a2a_method_name: "_OTHER", a2a_protocol_binding: "_OTHER" };
  expect(value("a2a_client_requests_total", other)).toBe(1);
  expect(value("a2a_client_request_duration_seconds_count", other)).toBe(1);
});
