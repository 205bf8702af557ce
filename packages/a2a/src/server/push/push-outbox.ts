import type { BuriedDelivery, DeliveryKey, OutboxStore } from "../../store/internal.js";
import type { Clock } from "../../async/internal.js";
import type { Notifier } from "../log/notifier.js";

/** A push notification that was given up. */
export type DeadLetter = BuriedDelivery;

/** An agent's push notifications that wait or were given up, for operators. */
export interface PushOutbox {
  count(): Promise<{ readonly waiting: number; readonly dead: number }>;
  /** Lists dead letters in a fixed order, after a given one; at most `limit`, by default 100. */
  listDead(page?: {
    readonly after?: DeliveryKey;
    readonly limit?: number;
  }): Promise<readonly DeadLetter[]>;
  /** Queues a dead letter again, with all its attempts; false when there is no such dead letter. */
  redeliver(key: DeliveryKey): Promise<boolean>;
  /** Queues all dead letters again. Returns how many. */
  redeliverAll(): Promise<number>;
  /** Deletes a dead letter. */
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
