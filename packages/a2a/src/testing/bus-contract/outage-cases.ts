import { assert } from "../assert.js";
import type { Statements } from "../contract-case.js";
import { publishUntil, settle, until } from "./bus-bench.js";
import type { BusBench } from "./bus-bench.js";

/** What holds when a node is cut off from the bus. */
export const outageCases: Statements<BusBench> = {
  "a node that is cut off is told so, and told again when it is back": async ({ bus, cut }) => {
    let lost = 0;
    let ended = 0;
    bus.onLost(() => (lost += 1));
    bus.onLost(() => (ended += 1))();
    const mend = await cut();
    await until(() => lost > 0 && !bus.isConnected, "the loss");
    const before = lost;
    await mend();
    await until(() => lost > before && bus.isConnected, "the return");
    assert(ended === 0, "a callback is called after its end");
  },

  "while a node is cut off nothing throws, and its own wake-ups arrive": async ({ bus, cut }) => {
    const woken = new Set<string>();
    bus.subscribe("t1", () => woken.add("before"));
    const mend = await cut();
    await until(() => !bus.isConnected, "the loss");
    const late = bus.subscribe("t1", () => woken.add("meanwhile"));
    await late.ready;
    bus.subscribe("t2", () => {}).stop();
    bus.publishTopic("drain", "n1");
    await publishUntil(
      () => bus.publish("t1", 1),
      () => woken.size === 2,
      "wake-ups within the node",
    );
    await mend();
  },

  "a node that is back is woken by others, and wakes them": async ({ bus, another, cut }) => {
    const other = await another();
    const woken = new Set<string>();
    bus.subscribe("t1", () => woken.add("before"));
    other.subscribe("t2", () => woken.add("other"));
    bus.subscribe("left", () => woken.add("left")).stop();
    const mend = await cut();
    await until(() => !bus.isConnected, "the loss");
    bus.subscribe("t3", () => woken.add("meanwhile"));
    await settle();
    await mend();
    await until(() => bus.isConnected, "the return");
    await publishUntil(
      () => {
        other.publish("t1", 2);
        other.publish("t3", 2);
        other.publish("left", 2);
        bus.publish("t2", 2);
      },
      () => ["before", "meanwhile", "other"].every((name) => woken.has(name)),
      "wake-ups in both directions",
    );
    assert(!woken.has("left"), "who stopped watching is woken");
  },

  "a bus that is cut off closes": async ({ bus, cut }) => {
    const mend = await cut();
    await until(() => !bus.isConnected, "the loss");
    bus.publish("t1", 1);
    await bus.close();
    await mend();
  },
};
