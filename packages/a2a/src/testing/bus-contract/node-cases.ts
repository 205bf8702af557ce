import { assert, assertEqual } from "../assert.js";
import type { Statements } from "../contract-case.js";
import { range, strangeIds } from "../store-contract/samples.js";
import { publishUntil, settle, until } from "./bus-bench.js";
import type { BusBench } from "./bus-bench.js";

/** What holds between nodes. */
export const nodeCases: Statements<BusBench> = {
  "a bus that other nodes join says so": async ({ bus }) => {
    assert(bus.isShared, "isShared is false");
    assert(bus.isConnected, "isConnected is false");
    assert(bus.description !== "", "description is empty");
  },

  "who watches on one node is woken by another": async ({ bus, another }) => {
    const nodes = [bus, await another(), await another()];
    const woken = new Set<number>();
    for (const [index, node] of nodes.entries()) node.subscribe("t1", () => woken.add(index));
    for (const publisher of nodes) {
      woken.clear();
      await publishUntil(
        () => publisher.publish("t1", 1),
        () => woken.size === nodes.length,
        "a wake-up on all nodes",
      );
    }
  },

  "what another node publishes when a subscription is ready arrives": async ({ bus, another }) => {
    const other = await another();
    for (let sequence = 1; sequence <= 10; sequence += 1) {
      let heard = 0;
      const { ready, stop } = bus.subscribe(`t${sequence}`, (woken) => (heard = woken));
      await ready;
      other.publish(`t${sequence}`, sequence);
      await until(() => heard === sequence, "a wake-up that is published once");
      stop();
    }
  },

  "a second subscription is ready when the first is": async ({ bus, another }) => {
    const other = await another();
    for (let sequence = 1; sequence <= 10; sequence += 1) {
      let heard = 0;
      const first = bus.subscribe(`t${sequence}`, () => {});
      const second = bus.subscribe(`t${sequence}`, (woken) => (heard = woken));
      await second.ready;
      first.stop();
      other.publish(`t${sequence}`, sequence);
      await until(() => heard === sequence, "a wake-up that is published once");
      second.stop();
    }
  },

  "a task that is left and watched again at once is heard": async ({ bus, another }) => {
    const other = await another();
    for (let sequence = 1; sequence <= 10; sequence += 1) {
      let heard = 0;
      bus.subscribe("t1", () => {}).stop();
      const { ready, stop } = bus.subscribe("t1", (woken) => (heard = woken));
      await ready;
      other.publish("t1", sequence);
      await until(() => heard === sequence, "a wake-up that is published once");
      stop();
    }
  },

  "nodes tell tasks apart by ids of any characters": async ({ bus, another }) => {
    const other = await another();
    const woken = new Map<string, Set<number>>(strangeIds.map((id) => [id, new Set()]));
    for (const [id, sequences] of woken) other.subscribe(id, (sequence) => sequences.add(sequence));
    for (const [index, id] of strangeIds.entries()) {
      await publishUntil(
        () => bus.publish(id, index + 1),
        () => woken.get(id)?.has(index + 1) === true,
        `a wake-up of ${id}`,
      );
    }
    await settle();
    for (const [index, id] of strangeIds.entries()) {
      assertEqual([...(woken.get(id) ?? [])], [index + 1], `the sequences of ${id}`);
    }
  },

  "thousands of wake-ups at once reach another node, the highest of each task": async ({
    bus,
    another,
  }) => {
    const other = await another();
    const highest = new Map<string, number>();
    const ids = range(3000).map((index) => `task ${index}`);
    await Promise.all(
      ids.map((id) => other.subscribe(id, (woken) => void highest.set(id, woken)).ready),
    );
    for (let sequence = 1; sequence <= 3; sequence += 1) {
      for (const id of ids) bus.publish(id, sequence);
    }
    await until(() => ids.every((id) => highest.get(id) === 3), "3,000 wake-ups");
  },

  "nodes hear what is told under a topic": async ({ bus, another }) => {
    const other = await another();
    const heard = new Set<string>();
    other.subscribeTopic("abandoned", (message) => heard.add(`abandoned ${message}`));
    other.subscribeTopic("drain", (message) => heard.add(`drain ${message}`));
    await publishUntil(
      () => {
        bus.publishTopic("abandoned", "travel");
        bus.publishTopic("drain", "n1");
      },
      () => heard.size === 2,
      "two messages",
    );
    assertEqual([...heard].toSorted(), ["abandoned travel", "drain n1"], "what is heard");
  },

  "a node that closes leaves the others connected": async ({ bus, another }) => {
    const other = await another();
    let isWoken = false;
    bus.subscribe("t1", () => (isWoken = true));
    await other.close();
    const third = await another();
    await publishUntil(
      () => third.publish("t1", 1),
      () => isWoken,
      "a wake-up",
    );
  },

  "what a node says just before it closes is heard": async ({ bus, another }) => {
    const heard = new Set<string>();
    const { ready } = bus.subscribeTopic("abandoned", (message) => heard.add(message));
    const watch = bus.subscribe("t1", (sequence) => heard.add(`sequence ${sequence}`));
    await Promise.all([ready, watch.ready]);
    const other = await another();
    other.publish("t1", 9);
    other.publishTopic("abandoned", "travel");
    await other.close();
    await until(() => heard.size === 2, "the last words");
  },
};

/** What holds where nodes of several clusters share a server. */
export const strangerCases: Statements<BusBench> = {
  "nodes of another cluster hear nothing": async ({ bus, another, stranger }) => {
    const [other, foreign] = [await another(), await stranger()];
    const heard = new Set<string>();
    foreign.subscribe("t1", () => heard.add("foreign"));
    foreign.subscribeTopic("drain", () => heard.add("foreign"));
    other.subscribe("t1", () => heard.add("task"));
    other.subscribeTopic("drain", () => heard.add("topic"));
    await publishUntil(
      () => {
        bus.publish("t1", 1);
        bus.publishTopic("drain", "n1");
      },
      () => heard.has("task") && heard.has("topic"),
      "what one node says to another",
    );
    let isWoken = false;
    foreign.subscribe("t2", () => (isWoken = true));
    await publishUntil(
      () => foreign.publish("t2", 1),
      () => isWoken,
      "a wake-up of the other cluster",
    );
    assert(!heard.has("foreign"), "a node of another cluster hears");
  },
};
