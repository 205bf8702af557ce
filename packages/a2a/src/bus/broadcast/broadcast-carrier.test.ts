import { setImmediate as immediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { createTestClock } from "../../testing/create-test-clock.js";
import type { TestClock } from "../../testing/create-test-clock.js";
import type { Bus } from "../bus.js";
import { hashOf } from "../shared/hash-of.js";
import { Notices } from "../shared/notices.js";
import { createSharedBus } from "../shared/shared-bus.js";
import { BroadcastCarrier } from "./broadcast-carrier.js";
import type { Channel, ChannelListener } from "./channel.js";

/** Waits for some turns of the event loop after each timer: the carrier waits for turns, too. */
function createClock(): TestClock {
  return createTestClock(0, async () => {
    for (let turn = 0; turn < 5; turn += 1) await immediate();
  });
}

/** A channel in memory, which tests make fail. */
class TestChannel {
  readonly listeners = new Set<ChannelListener>();
  readonly sent: string[] = [];
  /** Opened so often, failed attempts included. */
  opened = 0;
  isRefusing = false;
  isDeaf = false;
  isDropping = false;

  readonly open = async (listener: ChannelListener): Promise<Channel> => {
    this.opened += 1;
    if (this.isRefusing) throw new Error("nobody is there");
    this.listeners.add(listener);
    return {
      send: async (text) => {
        if (this.isRefusing) throw new Error("nobody is there");
        this.sent.push(text);
        if (!this.isDeaf) this.say(text);
      },
      close: async () => void this.listeners.delete(listener),
    };
  };

  say(text: string): void {
    for (const listener of this.listeners) if (!this.isDropping) listener.hear(text);
  }

  /** What was sent but for what only says who is there. */
  get batches(): string[] {
    return this.sent.filter((text) => text.includes("\n"));
  }
}

const [a, b] = [hashOf("a"), hashOf("b")];

interface Opened {
  readonly bus: Bus;
  readonly notices: string[];
  readonly lost: () => number;
}

async function open(channel: TestChannel, clock: TestClock): Promise<Opened> {
  const notices: string[] = [];
  let carrier: BroadcastCarrier | undefined;
  const bus = createSharedBus({
    description: "test",
    connect: (ears) =>
      (carrier = new BroadcastCarrier({
        ears,
        open: channel.open,
        clock,
        waitingClock: {
          now: () => 0,
          after: (_, callback) => (queueMicrotask(callback), () => {}),
        },
        notices: new Notices("test", ({ message }) => void notices.push(message)),
        deafness: "nothing is heard",
        isHopeless: (error) => error instanceof RangeError,
        random: () => 0.5,
      })),
  });
  await carrier?.start();
  let lost = 0;
  bus.onLost(() => (lost += 1));
  return { bus, notices, lost: () => lost };
}

test("a bus that hears itself is connected", async () => {
  const clock = createClock();
  const { bus, notices } = await open(new TestChannel(), clock);
  expect(bus.isConnected).toBe(true);
  expect(notices).toEqual([]);
  await bus.close();
  expect(clock.pending).toBe(0);
});

test("a bus that sends but hears nothing says so once, is not connected, and sends on", async () => {
  const channel = new TestChannel();
  channel.isDeaf = true;
  const clock = createClock();
  const { bus, notices, lost } = await open(channel, clock);
  await clock.advance(30_000);
  expect(bus.isConnected).toBe(false);
  expect(notices).toEqual([
    "test: nothing is heard. Until that is mended, this node looks for changes every second.",
  ]);
  bus.publish("a", 1);
  await clock.advance(0);
  expect(channel.batches.length).toBe(1);
  expect(channel.opened).toBe(1);
  channel.isDeaf = false;
  await clock.advance(10_000);
  expect(bus.isConnected).toBe(true);
  expect(notices[1]).toBe("test: wake-ups arrive now.");
  expect(lost()).toBe(1);
  await bus.close();
});

test("a deaf channel is opened again after a minute", async () => {
  const channel = new TestChannel();
  channel.isDeaf = true;
  const clock = createClock();
  const { bus } = await open(channel, clock);
  await clock.advance(70_000);
  expect(channel.opened).toBe(2);
  await bus.close();
});

test("a channel that falls silent is lost within two pings, and opened again", async () => {
  const channel = new TestChannel();
  const clock = createClock();
  const { bus, notices, lost } = await open(channel, clock);
  await clock.advance(20_000);
  channel.isDropping = true;
  await clock.advance(10_000);
  expect(bus.isConnected).toBe(false);
  expect(lost()).toBe(1);
  expect(notices[0]).toContain("the connection was lost (nothing was heard for 5 seconds)");
  channel.isDropping = false;
  await clock.advance(10_000);
  expect(bus.isConnected).toBe(true);
  expect(lost()).toBe(2);
  expect(channel.listeners.size).toBe(1);
  await bus.close();
});

test("a channel that cannot be opened is tried with growing pauses, and said once", async () => {
  const channel = new TestChannel();
  channel.isRefusing = true;
  const clock = createClock();
  const { bus, notices } = await open(channel, clock);
  expect(bus.isConnected).toBe(false);
  await clock.advance(5000);
  const early = channel.opened;
  expect(early).toBeGreaterThan(5);
  await clock.advance(60_000);
  expect(channel.opened - early).toBeLessThan(20);
  expect(notices).toEqual([expect.stringContaining("cannot connect (nobody is there)")]);
  channel.isRefusing = false;
  await clock.advance(5000);
  expect(bus.isConnected).toBe(true);
  await bus.close();
  expect(clock.pending).toBe(0);
});

test("what there is no hope for is refused at the start", async () => {
  const channel = new TestChannel();
  const failing = Object.assign(channel, {
    open: async () => {
      throw new RangeError("a wrong password");
    },
  });
  await expect(open(failing, createClock())).rejects.toThrow("a wrong password");
});

test("what is published while the bus is cut off reaches the others when it is back", async () => {
  const channel = new TestChannel();
  const clock = createClock();
  const { bus } = await open(channel, clock);
  const [listener] = channel.listeners;
  channel.isRefusing = true;
  listener?.end(new Error("cut"));
  for (let sequence = 1; sequence <= 5; sequence += 1) bus.publish("a", sequence);
  bus.publishTopic("abandoned", "travel");
  await clock.advance(10_000);
  expect(channel.batches).toEqual([]);
  channel.isRefusing = false;
  await clock.advance(10_000);
  expect(channel.batches).toEqual([
    expect.stringMatching(new RegExp(`^\\w+ \\d+\nabandoned "travel"\n${a}:5$`, "u")),
  ]);
  await bus.close();
});

test("what could not be sent is sent again over a new channel", async () => {
  const channel = new TestChannel();
  const clock = createClock();
  const { bus, lost } = await open(channel, clock);
  channel.isRefusing = true;
  bus.publish("a", 1);
  bus.publishTopic("drain", "n1");
  await clock.advance(0);
  expect(lost()).toBe(1);
  expect(channel.batches).toEqual([]);
  channel.isRefusing = false;
  await clock.advance(1000);
  expect(channel.batches).toEqual([
    expect.stringMatching(new RegExp(`^\\w+ \\d+\ndrain "n1"\n${a}:1$`, "u")),
  ]);
  await bus.close();
});

test("a bus that is alone sends no batches; who comes later gets the latest of them", async () => {
  const channel = new TestChannel();
  const clock = createClock();
  const { bus } = await open(channel, clock);
  bus.publish("a", 1);
  await clock.advance(0);
  expect(channel.batches.length).toBe(1);
  await clock.advance(30_000);
  for (let sequence = 2; sequence <= 5; sequence += 1) {
    bus.publish("a", sequence);
    await clock.advance(0);
  }
  expect(channel.batches.length).toBe(1);
  channel.say("peer 1");
  await clock.advance(0);
  expect(channel.batches.at(-1)).toMatch(new RegExp(`^\\w+ \\d+\n${a}:5$`, "u"));
  bus.publish("a", 6);
  await clock.advance(0);
  expect(channel.batches.length).toBe(3);
  await clock.advance(60_000);
  bus.publish("a", 7);
  await clock.advance(0);
  expect(channel.batches.length).toBe(3);
  await bus.close();
});

test("texts of others that are missing are noticed", async () => {
  const channel = new TestChannel();
  const { bus, lost } = await open(channel, createClock());
  const say = async (text: string): Promise<void> => {
    channel.say(text);
    await immediate();
  };
  const woken: number[] = [];
  bus.subscribe("a", (sequence) => woken.push(sequence));
  await say(`peer 4\n${a}:1`);
  await say(`peer 5\n${a}:2`);
  expect(lost()).toBe(0);
  await say(`peer 7\n${a}:3`);
  expect(lost()).toBe(1);
  await say("peer 8\n!");
  expect(lost()).toBe(2);
  expect(woken).toEqual([1, 2, 3]);
  await bus.close();
});

test("a bus sends one batch at a time, and what comes meanwhile in the next", async () => {
  const channel = new TestChannel();
  const clock = createClock();
  let go = (): void => {};
  const slow = Object.assign(channel, {
    open: async (listener: ChannelListener): Promise<Channel> => ({
      close: async () => undefined,
      send: async (text) => {
        channel.sent.push(text);
        listener.hear(text);
        if (text.includes("\n")) await new Promise<void>((resolve) => (go = resolve));
      },
    }),
  });
  const { bus } = await open(slow, clock);
  for (let sequence = 1; sequence <= 100; sequence += 1) {
    bus.publish("a", sequence);
    bus.publish("b", sequence);
    await clock.advance(0);
  }
  expect(channel.batches.length).toBe(1);
  go();
  await clock.advance(0);
  expect(channel.batches.map((text) => text.split("\n").slice(1))).toEqual([
    [`${a}:1`, `${b}:1`],
    [`${a}:100`, `${b}:100`],
  ]);
  go();
  await bus.close();
});
