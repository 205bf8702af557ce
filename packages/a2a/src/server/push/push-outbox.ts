import type { BuriedDelivery, DeliveryKey, OutboxStore } from "../../store/internal.js";
import type { Clock } from "../../async/internal.js";
import type { Notifier } from "./notifier.js";

/** A notification that was given up. */
export type DeadLetter = BuriedDelivery;

/** What waits to be notified of and what was given up, for operators. */
export interface PushOutbox {
  count(): Promise<{ readonly waiting: number; readonly dead: number }>;
  /** In an order that is always the same, after one of them; at most 100 unless told otherwise. */
  listDead(page?: {
    readonly after?: DeliveryKey;
    readonly limit?: number;
  }): Promise<readonly DeadLetter[]>;
  /** Tries one again from the beginning; false when it is not among the dead. */
  redeliver(key: DeliveryKey): Promise<boolean>;
  /** Tries all again that are dead now. Answers how many. */
  redeliverAll(): Promise<number>;
  /** Forgets one for good. */
  discard(key: DeliveryKey): Promise<void>;
}

const pageSize = 100;

export function createPushOutbox(parts: {
  readonly store: OutboxStore;
  readonly clock: Clock;
  readonly agent: string;
  readonly notifier: Notifier | undefined;
}): PushOutbox {
  const { store, clock, agent, notifier } = parts;
  const listDead: PushOutbox["listDead"] = ({ after, limit = pageSize } = {}) =>
    store.listBuried({ agent, limit, ...(after !== undefined && { after }) });
  const redeliver: PushOutbox["redeliver"] = async ({ taskId, configId, sequence }) => {
    const isRevived = await store.reviveDelivery({ taskId, configId, sequence }, clock.now());
    if (isRevived) notifier?.wake();
    return isRevived;
  };
  return {
    async count() {
      const { waiting, buried } = await store.countDeliveries(agent);
      return { waiting, dead: buried };
    },
    listDead,
    redeliver,
    discard: ({ taskId, configId, sequence }) =>
      store.settleQueue({ taskId, configId, arrived: [sequence] }),
    async redeliverAll() {
      let count = 0;
      let after: DeliveryKey | undefined;
      for (;;) {
        const page = await listDead(after && { after });
        for (const letter of page) if (await redeliver(letter)) count += 1;
        after = page.at(-1);
        if (after === undefined) return count;
      }
    },
  };
}
