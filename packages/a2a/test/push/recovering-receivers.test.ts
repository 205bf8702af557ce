import type { ServerResponse } from "node:http";
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createPushSender } from "@parley/a2a/node";
import { agent, openRuntime } from "@parley/a2a/server";
import type { Store } from "@parley/a2a/store";
import { openSqliteStore } from "@parley/a2a/store/sqlite";
import { createTestClock } from "@parley/a2a/testing";
import { openFolder } from "../support/files/open-folder.js";
import { holdPort } from "../support/servers/hold-port.js";
import { openReceiver } from "../support/servers/open-receiver.js";
import type { Receiver } from "../support/servers/open-receiver.js";

const second = 1000;
const minute = 60 * second;
const words = 20;
/** The task as it was made, its work, each word, its end. */
const notifications = words + 3;

const speaker = agent({
  name: "Speaker",
  description: "Says many words",
  capabilities: { pushNotifications: true },
  async *run() {
    for (let index = 0; index < words; index += 1) yield `${index} `;
  },
});

/** Counts calls that are not answered yet. */
class Calls {
  #underWay = 0;

  get underWay(): number {
    return this.#underWay;
  }

  async count<T>(call: () => Promise<T>): Promise<T> {
    this.#underWay += 1;
    try {
      return await call();
    } finally {
      this.#underWay -= 1;
    }
  }
}

/** A store of which is known whether it is at work. */
function countCalls(store: Store, calls: Calls): Store {
  return new Proxy(store, {
    get(_, name) {
      const member: unknown = Reflect.get(store, name, store);
      if (typeof member !== "function") return member;
      return (...given: unknown[]): unknown => {
        const answer: unknown = Reflect.apply(member, store, given);
        if (answer instanceof Promise) void calls.count(() => answer).catch(() => undefined);
        return answer;
      };
    },
  });
}

/** A runtime that notifies over real sockets from a real database, by a clock that the test advances. */
async function openSpeaker() {
  const folder = await openFolder();
  const clock = createTestClock();
  const store = await openSqliteStore({ path: folder.file(), clock });
  const reports: unknown[] = [];
  const sender = createPushSender({ allowPrivate: true, now: () => clock.now() });
  const reads = new Calls();
  const attempts = new Calls();
  let unanswered = 0;
  const runtime = await openRuntime({
    agent: speaker,
    store: countCalls(store, reads),
    clock,
    pushSender: {
      ...sender,
      send: (notification, signal) => attempts.count(() => sender.send(notification, signal)),
    },
    report: (error) => reports.push(error),
    // Nothing happens but what is due.
    settings: { leaseMs: 24 * 60 * minute },
  });

  /** Resolves when all that needs no time is done: the clock is faster than the network and the disk. */
  async function settle(): Promise<void> {
    // What follows from an answer is begun in the turn in which it comes.
    for (let quiet = 0; quiet < 3; quiet += 1) {
      await turn();
      if (reads.underWay > 0 || attempts.underWay !== unanswered) quiet = -1;
    }
  }

  return {
    clock,
    runtime,
    reports,
    /** Says that a request is not going to be answered: only time ends its attempt. */
    leave: (response: ServerResponse): void => {
      unanswered += 1;
      response.on("close", () => (unanswered -= 1));
    },
    /** Lets time pass until something is so. */
    async passUntil(condition: () => boolean | Promise<boolean>): Promise<void> {
      for (await settle(); !(await condition()); await settle()) await clock.advance(second);
    },
    async speakTo(url: string): Promise<void> {
      const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: "go" }] } as const;
      const configuration = { taskPushNotificationConfig: { url } };
      await runtime.sendMessage({ message, configuration }, { version: "1.0" });
    },
    async [Symbol.asyncDispose]() {
      let isClosed = false;
      const closing = runtime.close().finally(() => (isClosed = true));
      for (; !isClosed; await turn()) await clock.advance(second);
      await closing;
      await store.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

function countIds(received: Receiver["received"]): number {
  return new Set(received.map(({ headers }) => headers["x-a2a-notification-id"])).size;
}

/** The order in which notifications first came, and whether each has an id of its own. */
function check(received: Receiver["received"]): void {
  const sequences = new Map<string, number>();
  for (const { headers } of received) {
    const id = String(headers["x-a2a-notification-id"]);
    const sequence = Number(headers["x-a2a-notification-sequence"]);
    expect(sequences.get(id) ?? sequence).toBe(sequence);
    sequences.set(id, sequence);
  }
  const order = [...sequences.values()];
  expect(order.length).toBe(notifications);
  expect(order).toEqual(order.toSorted((left, right) => left - right));
}

type Leave = (response: ServerResponse) => void;

const faults: Record<string, (response: ServerResponse, leave: Leave) => void> = {
  "fails with 500": (response) => response.writeHead(500).end("no"),
  "is overloaded and does not say for how long": (response) => response.writeHead(503).end(),
  "says 429 and when to come back": (response) =>
    response.writeHead(429, { "Retry-After": "120" }).end(),
  "redirects elsewhere": (response) => response.writeHead(307, { Location: "/trap" }).end(),
  "closes the connection": (response) => response.destroy(),
  "never answers": (response, leave) => leave(response),
  "answers with garbage": (response) => response.socket?.end("HTTP/9.9 what\r\n\r\n"),
};

describe("a receiver that is itself again after ten minutes gets everything, in order", () => {
  it.for(Object.entries(faults))("when it %s meanwhile", async ([, fault]) => {
    await using speaking = await openSpeaker();
    const { clock, runtime } = speaking;
    const startedAt = clock.now();
    const isBack = (): boolean => clock.now() >= startedAt + 10 * minute;
    const attempts: number[] = [];
    const taken: Receiver["received"][number][] = [];
    await using receiver = await openReceiver({
      answer(response, received) {
        attempts.push(clock.now());
        if (!isBack()) return fault(response, speaking.leave);
        taken.push(received);
        response.writeHead(204).end();
      },
    });
    await using healthy = await openReceiver();
    await speaking.speakTo(receiver.url);
    await speaking.speakTo(healthy.url);
    await healthy.until(notifications);
    expect(clock.now(), "nobody waits for the one that is ill").toBe(startedAt);

    await speaking.passUntil(() => countIds(taken) >= notifications);
    check(taken);
    const before = attempts.filter((at) => at < startedAt + 10 * minute);
    expect(before.length).toBeGreaterThan(2);
    expect(before.length, "attempts, with longer and longer pauses").toBeLessThan(20);
    expect(receiver.received.every(({ path }) => path === "/")).toBe(true);
    await speaking.passUntil(async () => (await runtime.push.count()).waiting === 0);
    expect(await runtime.push.count()).toEqual({ waiting: 0, dead: 0 });
    expect(speaking.reports).toEqual([]);
  });

  it("when there is nobody at its address meanwhile", async () => {
    await using speaking = await openSpeaker();
    const { clock, runtime } = speaking;
    const { port, url } = await closedPort();
    await using _held = await holdPort(port);
    await speaking.speakTo(url);
    const backAt = clock.now() + 10 * minute;
    await speaking.passUntil(() => clock.now() >= backAt);
    await using receiver = await openReceiver({ port });
    await speaking.passUntil(() => countIds(receiver.received) >= notifications);
    check(receiver.received);
    await speaking.passUntil(async () => (await runtime.push.count()).waiting === 0);
    expect(await runtime.push.count()).toEqual({ waiting: 0, dead: 0 });
  });

  it("after as long as it asked for, when it said when to come back", async () => {
    await using speaking = await openSpeaker();
    const { clock } = speaking;
    const attempts: number[] = [];
    await using receiver = await openReceiver({
      answer(response) {
        attempts.push(clock.now());
        if (attempts.length > 1) return response.writeHead(204).end();
        return response.writeHead(503, { "Retry-After": "300" }).end();
      },
    });
    await speaking.speakTo(receiver.url);
    await speaking.passUntil(() => attempts.length > notifications);
    const [first = 0, next = 0] = attempts;
    expect(next - first).toBeGreaterThanOrEqual(300 * second);
    expect(next - first).toBeLessThan(305 * second);
  });
});

async function closedPort(): Promise<{ port: number; url: string }> {
  const receiver = await openReceiver();
  const { port, url } = receiver;
  await receiver[Symbol.asyncDispose]();
  return { port, url };
}
