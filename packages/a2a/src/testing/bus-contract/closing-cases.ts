import { assert } from "../assert.js";
import type { Statements } from "../contract-case.js";
import { settle } from "./bus-bench.js";
import type { BusBench } from "./bus-bench.js";

/** What holds for a bus that is closed. */
export const closingCases: Statements<BusBench> = {
  "a closed bus wakes nobody and throws nothing": async ({ bus }) => {
    let isWoken = false;
    const wake = (): void => void (isWoken = true);
    const first = bus.subscribe("t1", wake);
    const topic = bus.subscribeTopic("drain", wake);
    const endOnLost = bus.onLost(wake);
    await Promise.all([bus.close(), bus.close()]);
    const late = bus.subscribe("t2", wake);
    const lateTopic = bus.subscribeTopic("abandoned", wake);
    const endLateOnLost = bus.onLost(wake);
    await Promise.all([late.ready, lateTopic.ready, first.ready]);
    bus.publish("t1", 1);
    bus.publish("t2", 1);
    bus.publishTopic("drain", "n1");
    bus.publishTopic("abandoned", "travel");
    await settle();
    for (const { stop } of [first, topic, late, lateTopic]) stop();
    endOnLost();
    endLateOnLost();
    await bus[Symbol.asyncDispose]();
    assert(!isWoken, "something came after closing");
  },

  "a subscription is ready even if the bus is closed meanwhile": async ({ bus }) => {
    const subscriptions = ["t1", "t2", "t3"].map((id) => bus.subscribe(id, () => {}));
    const closed = bus.close();
    await Promise.all(subscriptions.map(({ ready }) => ready));
    await closed;
  },
};
