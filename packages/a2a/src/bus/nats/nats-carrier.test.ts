import { setImmediate as immediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { createTestClock } from "../../testing/create-test-clock.js";
import { Notices } from "../shared/notices.js";
import type { NatsConnection, NatsStatus } from "./load-nats.js";
import { NatsCarrier } from "./nats-carrier.js";

/** A connection whose answers and statuses the test gives. */
class TestConnection implements NatsConnection {
  readonly #statuses: NatsStatus[] = [];
  readonly #answers: { resolve: () => void; reject: (error: Error) => void }[] = [];
  #wake = (): void => {};
  readonly publish = (): void => {};
  readonly subscribe = (): { unsubscribe: () => void } => ({ unsubscribe: () => {} });
  readonly isClosed = (): boolean => false;
  readonly close = async (): Promise<void> => {};
  readonly closed = (): Promise<unknown> => new Promise(() => {});
  readonly flush = (): Promise<void> =>
    new Promise((resolve, reject) => this.#answers.push({ resolve, reject }));

  async *status(): AsyncGenerator<NatsStatus> {
    for (;;) {
      yield* this.#statuses.splice(0);
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  async say(status: NatsStatus): Promise<void> {
    this.#statuses.push(status);
    this.#wake();
    await immediate();
  }

  /** The server answers everything it was asked. */
  async answer(): Promise<void> {
    for (const { resolve } of this.#answers.splice(0)) resolve();
    await immediate();
  }

  /** The connection is lost before the server answers. */
  async lose(): Promise<void> {
    for (const { reject } of this.#answers.splice(0)) reject(new Error("disconnected"));
    await this.say({ type: "disconnect", server: "one" });
  }
}

interface Started {
  readonly carrier: NatsCarrier;
  readonly connection: TestConnection;
  readonly notices: string[];
  readonly count: { changes: number; connections: number };
}

async function start(): Promise<Started> {
  const connection = new TestConnection();
  const notices: string[] = [];
  const count = { changes: 0, connections: 0 };
  const carrier = new NatsCarrier({
    ears: { wake() {}, hear() {}, miss() {}, change: () => void (count.changes += 1) },
    prefix: "parley.test",
    clock: createTestClock(),
    notices: new Notices("nats one", ({ message }) => void notices.push(message)),
    isHopeless: () => false,
    connect: async () => {
      count.connections += 1;
      return connection;
    },
  });
  void carrier.start();
  await immediate();
  return { carrier, connection, notices, count };
}

const forbidden: NatsStatus = {
  type: "error",
  error: new Error('Permissions Violation for Subscription to "parley"'),
};

test("a connection counts when the server has answered what was subscribed, after a loss too", async () => {
  const { carrier, connection, count } = await start();
  expect(carrier.isConnected).toBe(false);
  await connection.answer();
  expect(carrier.isConnected).toBe(true);
  await connection.lose();
  await connection.say({ type: "reconnect", server: "one" });
  expect([carrier.isConnected, count.changes]).toEqual([false, 2]);
  await connection.answer();
  expect([carrier.isConnected, count.changes]).toEqual([true, 3]);
});

test("a connection that is lost before the server answers is the client's to make again", async () => {
  const { carrier, connection, count } = await start();
  await connection.lose();
  expect(carrier.isConnected).toBe(false);
  await connection.say({ type: "reconnect", server: "one" });
  await connection.answer();
  expect([carrier.isConnected, count.connections]).toEqual([true, 1]);
});

test.each(["before", "after"])(
  "a server that forbids a subscription %s it answers is not connected to",
  async (when) => {
    const { carrier, connection, notices } = await start();
    if (when === "after") await connection.answer();
    await connection.say(forbidden);
    await connection.answer();
    expect(carrier.isConnected).toBe(false);
    expect(notices).toEqual([expect.stringMatching(/^nats one: the server refuses it/u)]);
  },
);

test("a server that forbids nothing any more is connected to after a reconnect", async () => {
  const { carrier, connection, notices } = await start();
  await connection.say(forbidden);
  await connection.answer();
  await connection.lose();
  await connection.say({ type: "reconnect", server: "one" });
  await connection.answer();
  expect(carrier.isConnected).toBe(true);
  expect(notices[1]).toMatch(/wake-ups arrive now/u);
});
