import { assert, assertEqual } from "../assert.js";
import type { Statements } from "../contract-case.js";
import { strangeIds } from "../store-contract/samples.js";
import { publishUntil, settle, until } from "./bus-bench.js";
import type { BusBench } from "./bus-bench.js";

/** What holds for wake-ups, within one node. */
export const taskCases: Statements<BusBench> = {
  "who watches a task is woken with its sequence": async ({ bus }) => {
    const woken: number[] = [];
    bus.subscribe("t1", (sequence) => woken.push(sequence));
    await publishUntil(
      () => bus.publish("t1", 7),
      () => woken.length > 0,
      "a wake-up",
    );
    assertEqual([...new Set(woken)], [7], "the sequences");
  },

  "who watches is woken asynchronously": async ({ bus }) => {
    let isPublishing = false;
    let isWoken = false;
    let isTooEarly = false;
    bus.subscribe("t1", () => {
      isWoken = true;
      isTooEarly ||= isPublishing;
    });
    const publish = (): void => {
      isPublishing = true;
      bus.publish("t1", 1);
      isPublishing = false;
    };
    await publishUntil(publish, () => isWoken, "a wake-up");
    assert(!isTooEarly, "the wake-up came before publish returned");
  },

  "everyone who watches a task is woken, and nobody else": async ({ bus }) => {
    const woken = new Set<string>();
    bus.subscribe("t1", () => woken.add("first"));
    bus.subscribe("t1", () => woken.add("second"));
    bus.subscribe("t2", () => woken.add("other"));
    await publishUntil(
      () => bus.publish("t1", 1),
      () => woken.has("first") && woken.has("second"),
      "two wake-ups",
    );
    await settle();
    assert(!woken.has("other"), "who watches another task is woken");
  },

  "a function that subscribes twice is subscribed twice": async ({ bus }) => {
    let count = 0;
    const wake = (): void => void (count += 1);
    const { stop } = bus.subscribe("t1", wake);
    bus.subscribe("t1", wake);
    stop();
    await publishUntil(
      () => bus.publish("t1", 1),
      () => count > 0,
      "the second subscription",
    );
  },

  "who stopped watching is not woken": async ({ bus }) => {
    const woken: string[] = [];
    const { stop } = bus.subscribe("t1", () => woken.push("stopped"));
    bus.subscribe("t1", () => woken.push("stays"));
    await publishUntil(
      () => bus.publish("t1", 1),
      () => woken.includes("stopped") && woken.includes("stays"),
      "two wake-ups",
    );
    await settle();
    stop();
    stop();
    woken.length = 0;
    await publishUntil(
      () => bus.publish("t1", 2),
      () => woken.length > 0,
      "a wake-up of who stays",
    );
    await settle();
    assert(!woken.includes("stopped"), "who stopped watching is woken");
  },

  "who stops watching before the wake-up comes is not woken": async ({ bus }) => {
    let isWoken = false;
    const { stop } = bus.subscribe("t1", () => (isWoken = true));
    bus.publish("t1", 1);
    stop();
    await settle();
    assert(!isWoken, "a wake-up came after the subscription's end");
  },

  "who is stopped by another that is woken is not woken": async ({ bus }) => {
    const woken: string[] = [];
    const subscriptions = ["first", "second"].map((name) =>
      bus.subscribe("t1", () => {
        woken.push(name);
        for (const { stop } of subscriptions) stop();
      }),
    );
    await publishUntil(
      () => bus.publish("t1", 1),
      () => woken.length > 0,
      "a wake-up",
    );
    assertEqual(woken.length, 1, "how many are woken");
  },

  "who is woken may stop watching, and begin again": async ({ bus }) => {
    let count = 0;
    const watch = (): void => {
      const subscription = bus.subscribe("t1", () => {
        count += 1;
        subscription.stop();
        if (count < 1000) watch();
      });
    };
    bus.subscribe("t1", () => {});
    watch();
    for (const target of [1, 2, 3]) {
      await publishUntil(
        () => bus.publish("t1", target),
        () => count >= target,
        `wake-up ${target}`,
      );
    }
    assert(count < 1000, "who begins again is woken for ever by one wake-up");
  },

  "of many wake-ups the last is heard": async ({ bus }) => {
    let highest = 0;
    bus.subscribe("t1", (sequence) => (highest = Math.max(highest, sequence)));
    for (let sequence = 1; sequence <= 1000; sequence += 1) bus.publish("t1", sequence);
    await publishUntil(
      () => bus.publish("t1", 1000),
      () => highest >= 1000,
      "the last wake-up",
    );
    assertEqual(highest, 1000, "the highest sequence");
  },

  "publishing never throws, watched or not": async ({ bus }) => {
    bus.publish("nobody watches", 1);
    bus.publish("", 0);
    bus.publish("t1", Number.MAX_SAFE_INTEGER);
    await settle();
  },

  "tasks are told apart by ids of any characters": async ({ bus }) => {
    const woken = new Map<string, Set<number>>(strangeIds.map((id) => [id, new Set()]));
    for (const [id, sequences] of woken) bus.subscribe(id, (sequence) => sequences.add(sequence));
    for (const [index, id] of strangeIds.entries()) {
      await publishUntil(
        () => bus.publish(id, index + 1),
        () => woken.get(id)?.has(index + 1) === true,
        `a wake-up of ${id}`,
      );
    }
    for (const [index, id] of strangeIds.entries()) {
      assertEqual([...(woken.get(id) ?? [])], [index + 1], `the sequences of ${id}`);
    }
  },

  "what is published when a subscription is ready arrives": async ({ bus }) => {
    for (let sequence = 1; sequence <= 10; sequence += 1) {
      let heard = 0;
      const { ready, stop } = bus.subscribe(`t${sequence % 2}`, (woken) => (heard = woken));
      await ready;
      bus.publish(`t${sequence % 2}`, sequence);
      await until(() => heard === sequence, "a wake-up that is published once");
      stop();
    }
  },
};
