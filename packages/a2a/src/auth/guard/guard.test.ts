import { describe, expect, it } from "vitest";
import { A2AError, isStreaming, operations } from "../../protocol/internal.js";
import type {
  AgentService,
  CallContext,
  EventIterator,
  Operation,
  StreamEvent,
} from "../../protocol/internal.js";
import type { AuditEvent } from "../audit-log.js";
import { formatAuditEvent } from "../audit-log.js";
import { requireScopes, standardScopes } from "./authorize.js";
import { CallLimiter } from "../limits/call-limiter.js";
import { guard } from "./guard.js";
import type { GuardOptions } from "./guard.js";

const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: "hidden words" }] } as const;
const event: StreamEvent = { response: { message } };

/** Requests that name everything they can. */
const requests: Record<Operation, object> = {
  sendMessage: { message: { ...message, taskId: "t", contextId: "c" } },
  sendStreamingMessage: { message },
  getTask: { id: "t" },
  listTasks: { contextId: "c" },
  cancelTask: { id: "t" },
  subscribeToTask: { id: "t" },
  createTaskPushNotificationConfig: { taskId: "t", id: "p", url: "https://x/", token: "secret" },
  getTaskPushNotificationConfig: { taskId: "t", id: "p" },
  listTaskPushNotificationConfigs: { taskId: "t" },
  deleteTaskPushNotificationConfig: { taskId: "t", id: "p" },
  getExtendedAgentCard: {},
  callMethod: { method: "acme/quote", params: { taskId: "hidden" } },
};

const resources: Record<Operation, object> = {
  sendMessage: { taskId: "t", contextId: "c" },
  sendStreamingMessage: {},
  getTask: { taskId: "t" },
  listTasks: { contextId: "c" },
  cancelTask: { taskId: "t" },
  subscribeToTask: { taskId: "t" },
  createTaskPushNotificationConfig: { taskId: "t", configId: "p" },
  getTaskPushNotificationConfig: { taskId: "t", configId: "p" },
  listTaskPushNotificationConfigs: { taskId: "t" },
  deleteTaskPushNotificationConfig: { taskId: "t", configId: "p" },
  getExtendedAgentCard: {},
  callMethod: { method: "acme/quote" },
};

/** A guarded service that answers everything in one way, and notes what reaches it. */
function openGuarded(
  options: GuardOptions,
  answer: () => AsyncIterable<StreamEvent> = async function* () {
    yield event;
    yield event;
  },
) {
  const reached: Operation[] = [];
  const audited: AuditEvent[] = [];
  const service = Object.fromEntries(
    operations.map((operation) => [
      operation,
      isStreaming(operation)
        ? () => {
            reached.push(operation);
            return answer();
          }
        : async () => {
            reached.push(operation);
            for await (const _ of answer()) return "done";
            return "done";
          },
    ]),
  ) as unknown as AgentService;
  const guarded = guard(service, {
    audit: { record: (one) => audited.push(one) },
    now: () => Date.UTC(2026, 0, 2),
    ...options,
  });
  const invoke = async (operation: Operation, call: CallContext): Promise<unknown> => {
    const method = guarded[operation] as (request: object, call: CallContext) => unknown;
    const result = method.call(guarded, requests[operation], call);
    if (!isStreaming(operation)) return result;
    const events: unknown[] = [];
    for await (const one of result as AsyncIterable<StreamEvent>) events.push(one);
    return events;
  };
  return { guarded, invoke, reached, audited };
}

function failingWith(error: A2AError): AsyncIterable<StreamEvent> {
  return { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }) };
}

function callBy(subject: string, ...scopes: string[]): CallContext {
  return {
    version: "1.0",
    principal: { subject, scopes, claims: { email: "ann@example.com" } },
    requestId: "r-1",
    address: "192.0.2.1",
  };
}

async function refusalOf(attempt: Promise<unknown>): Promise<A2AError> {
  const error: unknown = await attempt.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!A2AError.is(error)) throw new Error(`expected a refusal, got ${String(error)}`);
  return error;
}

describe("a guard", () => {
  it.each(operations)(
    "lets %s through to who may, and writes down who, what and on what",
    async (operation) => {
      const { invoke, reached, audited } = openGuarded({ authorize: () => true });
      const expected = isStreaming(operation) ? [event, event] : "done";
      expect(await invoke(operation, { ...callBy("ann"), tenant: "acme" })).toEqual(expected);
      expect(reached).toEqual([operation]);
      expect(audited).toEqual([
        {
          at: "2026-01-02T00:00:00.000Z",
          decision: "authorization",
          outcome: "allowed",
          requestId: "r-1",
          address: "192.0.2.1",
          subject: "ann",
          operation,
          resource: { tenant: "acme", ...resources[operation] },
        },
      ]);
    },
  );

  it.each(operations)(
    "stops %s before it reaches the service, and says which scope is missing",
    async (operation) => {
      const { invoke, reached, audited } = openGuarded({ authorize: requireScopes() });
      const error = await refusalOf(invoke(operation, callBy("ann", "other")));
      const [scope] = standardScopes[operation];
      expect([error.code, error.message, error.details]).toEqual([
        "PERMISSION_DENIED",
        `this operation requires the scope ${scope}`,
        { metadata: { requiredScopes: scope }, requiredScopes: [scope] },
      ]);
      expect(reached).toEqual([]);
      expect(audited).toMatchObject([
        {
          decision: "authorization",
          outcome: "denied",
          code: "PERMISSION_DENIED",
          reason: expect.stringMatching(/^lacks a2a:/) as string,
          operation,
        },
      ]);
    },
  );

  it("writes down nothing of what is sent, and no more of a caller than its name", async () => {
    const { invoke, audited } = openGuarded({});
    for (const operation of operations) await invoke(operation, callBy("ann"));
    const lines = audited.map(formatAuditEvent).join("\n");
    expect(lines).not.toMatch(/secret|hidden|https:|example\.com/);
    expect(lines.split("\n")).toHaveLength(operations.length);
  });

  it("writes down that somebody did not find a task, and what services behind it refuse", async () => {
    for (const code of ["TASK_NOT_FOUND", "RESOURCE_EXHAUSTED", "UNAUTHENTICATED"] as const) {
      const decision = {
        TASK_NOT_FOUND: "authorization",
        RESOURCE_EXHAUSTED: "limit",
        UNAUTHENTICATED: "authentication",
      }[code];
      for (const operation of ["getTask", "subscribeToTask"] as const) {
        const refusal = new A2AError(code, "no", { cause: new Error("with a secret") });
        const { invoke, audited } = openGuarded({}, () => failingWith(refusal));
        expect((await refusalOf(invoke(operation, callBy("ann")))).code).toBe(code);
        expect(audited).toMatchObject([
          { outcome: "allowed" },
          { outcome: "denied", decision, code },
        ]);
        expect(JSON.stringify(audited)).not.toContain("secret");
      }
    }
  });

  it("leaves other failures as they are, and does not count them as decisions", async () => {
    const bad = new A2AError("INVALID_PARAMS", "bad");
    const { invoke, audited } = openGuarded({}, () => failingWith(bad));
    expect((await refusalOf(invoke("getTask", callBy("ann")))).message).toBe("bad");
    expect(audited).toHaveLength(1);
  });

  it.each([false, "is on the list of people whom nobody likes"])(
    "tells a caller that it may not, and the log alone why: %j",
    async (decision) => {
      const { invoke, audited } = openGuarded({ authorize: () => decision });
      const error = await refusalOf(invoke("getTask", callBy("ann")));
      expect([error.code, error.message, error.details]).toEqual([
        "PERMISSION_DENIED",
        "you are not allowed to do this",
        {},
      ]);
      expect(audited[0]?.reason).toBe(decision === false ? undefined : decision);
    },
  );

  it("refuses when the rule itself fails, and shows nothing of why", async () => {
    const { invoke, reached, audited } = openGuarded({
      authorize: () => {
        throw new Error("the directory is down at 10.0.0.1");
      },
    });
    const error = await refusalOf(invoke("getTask", callBy("ann")));
    expect([error.code, error.message]).toEqual(["INTERNAL", "Internal error"]);
    expect(reached).toEqual([]);
    expect(audited).toMatchObject([{ decision: "authorization", outcome: "denied" }]);
    expect(JSON.stringify(audited)).not.toContain("10.0.0.1");
  });

  it("tells the rule which skill is meant, where that can be told", async () => {
    const { invoke } = openGuarded({
      skillOf: ({ message: { parts } }) => (parts[0]?.text === "hidden words" ? "book" : undefined),
      authorize: requireScopes({ operations: {}, skills: { book: ["travel:book"] } }),
    });
    expect((await refusalOf(invoke("sendMessage", callBy("ann")))).code).toBe("PERMISSION_DENIED");
    expect(await invoke("sendMessage", callBy("ann", "travel:book"))).toBe("done");
    expect(await invoke("getTask", callBy("ann"))).toBe("done");
  });

  it("refuses calls beyond a caller's rate before the rules are asked", async () => {
    const limiter = new CallLimiter({ perPrincipal: { requests: { perSecond: 1, burst: 2 } } });
    let asked = 0;
    const { invoke, audited } = openGuarded({ limiter, authorize: () => (asked += 1) > 0 });
    await invoke("getTask", callBy("ann"));
    await invoke("listTasks", callBy("ann"));
    const error = await refusalOf(invoke("getTask", callBy("ann")));
    expect(error.code).toBe("RESOURCE_EXHAUSTED");
    expect(error.details.retryAfterSeconds).toBeGreaterThan(0);
    expect(asked).toBe(2);
    expect(audited.at(-1)).toMatchObject({ decision: "limit", outcome: "denied", subject: "ann" });
    await invoke("getTask", callBy("bob"));
  });

  it("counts streams until they end, fail or are left, even while they wait", async () => {
    const limiter = new CallLimiter({ perPrincipal: { concurrentStreams: 1 } });
    const left: string[] = [];
    const forever = (): AsyncIterable<StreamEvent> => {
      let stop = (): void => undefined;
      const stopped = new Promise<IteratorResult<StreamEvent>>((resolve) => {
        stop = () => resolve({ done: true, value: undefined });
      });
      return {
        [Symbol.asyncIterator]: () => ({
          next: () => stopped,
          async return() {
            left.push("left");
            stop();
            return { done: true, value: undefined };
          },
        }),
      };
    };
    const { guarded } = openGuarded({ limiter }, forever);
    const stream = guarded.subscribeToTask({ id: "t" }, callBy("ann"))[Symbol.asyncIterator]();
    const waiting = stream.next();
    await new Promise((resolve) => setTimeout(resolve, 0));
    const second = guarded.subscribeToTask({ id: "t" }, callBy("ann"))[Symbol.asyncIterator]();
    expect((await refusalOf(second.next())).code).toBe("RESOURCE_EXHAUSTED");
    await stream.return?.();
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(left).toEqual(["left"]);
    expect(limiter.size).toBe(0);

    const ending = openGuarded({ limiter });
    await ending.invoke("subscribeToTask", callBy("ann"));
    expect(limiter.size).toBe(0);
    const failing = openGuarded({ limiter }, async function* () {
      yield event;
      throw new A2AError("UNAVAILABLE", "gone");
    });
    await refusalOf(failing.invoke("subscribeToTask", callBy("ann")));
    expect(limiter.size).toBe(0);
  });

  it("passes on what a stream has ready, until it is left", async () => {
    const ready = [event, event];
    const iterator: EventIterator = {
      next: async () => ({ done: false, value: event }),
      take: () => ready.pop(),
    };
    const { guarded } = openGuarded({}, () => ({ [Symbol.asyncIterator]: () => iterator }));
    const stream = guarded.subscribeToTask({ id: "t" }, { version: "1.0" });
    const reader: EventIterator = stream[Symbol.asyncIterator]();
    expect(reader.take?.()).toBeUndefined();
    await reader.next();
    expect(reader.take?.()).toBe(event);
    await reader.return?.();
    expect([reader.take?.(), ready.length]).toEqual([undefined, 1]);
  });

  it("opens nothing for a stream that nobody reads", async () => {
    const { guarded, reached } = openGuarded({});
    const stream = guarded.subscribeToTask({ id: "t" }, callBy("ann"))[Symbol.asyncIterator]();
    await stream.return?.();
    expect(await stream.next()).toEqual({ done: true, value: undefined });
    expect(reached).toEqual([]);
  });
});

it("cuts what callers choose in an event to a length that fills no log", () => {
  const line = formatAuditEvent({
    at: "now",
    decision: "authorization",
    outcome: "denied",
    resource: { taskId: `\n{"forged":true}${"x".repeat(10_000)}` },
  });
  expect(line.length).toBeLessThan(500);
  expect(line).not.toContain("\n");
});
