import { describe, expect, it } from "vitest";
import { A2AError } from "../../protocol/internal.js";
import type { AgentService, CallContext, Operation } from "../../protocol/internal.js";
import { ManualTimers, settle } from "../../../test/support/time/manual-timers.js";
import { StreamSlots } from "./limit-calls.js";
import { backoffMs, isUnsent, withRetries } from "./retry.js";

const refused = new A2AError("UNAVAILABLE", "could not be reached", {
  cause: new TypeError("fetch failed", {
    cause: Object.assign(new Error("connect"), { code: "ECONNREFUSED" }),
  }),
});
const cut = new A2AError("UNAVAILABLE", "could not be reached", {
  cause: new TypeError("fetch failed", {
    cause: Object.assign(new Error("other side closed"), { code: "UND_ERR_SOCKET" }),
  }),
});

/** How often a service that always fails is called. */
async function attempts(
  operation: Exclude<Operation, "sendStreamingMessage" | "subscribeToTask">,
  error: Error,
  call: Partial<CallContext> = {},
): Promise<number> {
  let count = 0;
  const fail = (): Promise<never> => {
    count += 1;
    return Promise.reject(error);
  };
  const service = new Proxy({}, { get: () => fail }) as AgentService;
  const retried = withRetries(service, { clock: new ManualTimers().rush(), maxAttempts: 3 });
  const invoke = retried[operation] as (request: object, call: CallContext) => Promise<unknown>;
  await expect(invoke({}, { version: "1.0", ...call })).rejects.toBe(error);
  return count;
}

describe("what is called again", () => {
  it.each<[string, Parameters<typeof attempts>, number]>([
    ["a read that was cut off", ["getTask", cut], 3],
    ["a list that was cut off", ["listTasks", cut], 3],
    ["the extended card", ["getExtendedAgentCard", cut], 3],
    ["a send that was cut off", ["sendMessage", cut], 1],
    ["a send that never left", ["sendMessage", refused], 3],
    ["a send with a key", ["sendMessage", cut, { idempotencyKey: "k" }], 3],
    ["a cancel that was cut off", ["cancelTask", cut], 1],
    ["a cancel that never left", ["cancelTask", refused], 3],
    ["a read that is refused", ["getTask", new A2AError("TASK_NOT_FOUND", "no")], 1],
  ])("%s", async (_, given, count) => {
    expect(await attempts(...given)).toBe(count);
  });
});

it("stops waiting when the caller does, and leaves nothing behind", async () => {
  const timers = new ManualTimers();
  const caller = new AbortController();
  const service = new Proxy({}, { get: () => () => Promise.reject(cut) }) as AgentService;
  const retried = withRetries(service, { clock: timers, maxAttempts: 3 });
  const answer = retried.getTask({ id: "t" }, { version: "1.0", signal: caller.signal });
  const refusal = expect(answer).rejects.toBe("enough");
  await settle();
  expect(timers.pending).toBe(1);
  caller.abort("enough");
  await refusal;
  expect(timers.pending).toBe(0);
});

it("waits twice as long each time, up to half a minute, and never the same for all", () => {
  const longest = Array.from({ length: 10 }, (_, attempt) => backoffMs(attempt, () => 1));
  expect(longest).toEqual([200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000]);
  expect(backoffMs(3, () => 0)).toBe(800);
  expect(backoffMs(5000, () => 0.5)).toBe(22_500);
});

it("knows that a request never left only where the runtime says so", () => {
  const failed = (code: string): Error => Object.assign(new Error(code), { code });
  expect(isUnsent(refused)).toBe(true);
  expect(isUnsent(cut)).toBe(false);
  expect(isUnsent(new TypeError("Failed to fetch"))).toBe(false);
  const addresses = [failed("ECONNREFUSED"), failed("ENETUNREACH")];
  expect(isUnsent(new AggregateError(addresses))).toBe(true);
  expect(isUnsent(new AggregateError([...addresses, failed("ECONNRESET")]))).toBe(false);
});

describe("slots for streams", () => {
  it("go to those in line, each host by itself", async () => {
    const slots = new StreamSlots(2);
    const order: string[] = [];
    const take = async (name: string, host = "a"): Promise<() => void> => {
      const giveBack = await slots.take(host);
      order.push(name);
      return giveBack;
    };
    const first = await take("first");
    await take("second");
    const third = take("third");
    void take("fourth");
    await take("elsewhere", "b");
    await settle();
    expect(order).toEqual(["first", "second", "elsewhere"]);
    first();
    first();
    await third;
    await settle();
    expect(order).toEqual(["first", "second", "elsewhere", "third"]);
  });

  it("are not waited for by those who have left", async () => {
    const slots = new StreamSlots(1);
    const giveBack = await slots.take("a");
    const caller = new AbortController();
    const waiting = slots.take("a", caller.signal);
    caller.abort("enough");
    await expect(waiting).rejects.toBe("enough");
    giveBack();
    await slots.take("a");
  });
});
