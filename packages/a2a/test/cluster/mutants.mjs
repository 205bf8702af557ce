/**
 * Stores and buses with a fault of their own. The checker has to catch each of them, or it would not catch the same
 * fault in an engine.
 */
import { setTimeout as sleep } from "node:timers/promises";

/** A store or bus with some methods replaced. */
function replace(target, methods) {
  return new Proxy(target, {
    get(_, member) {
      const own = methods[member];
      if (own !== undefined) return own;
      const value = Reflect.get(target, member, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** Who was fenced writes on, wherever the log has got to meanwhile. */
function withoutEpochCheck(store) {
  return replace(store, {
    async append(append) {
      try {
        return await store.append(append);
      } catch (error) {
        const { head } = error;
        const isFenced = append.expectedSequence !== undefined && head?.epoch > append.epoch;
        if (!isFenced) throw error;
        const { checkpoint: _, summary: __, ...rest } = append;
        return store.append({ ...rest, epoch: head.epoch, expectedSequence: head.sequence });
      }
    },
  });
}

/** Says that it has written, and writes a little later. */
function acknowledgingEarly(store) {
  const turns = new Map();
  return replace(store, {
    async append(append) {
      const { taskId, expectedSequence, epoch, events } = append;
      // What decides between two writers is left as it is.
      if (expectedSequence === undefined || append.idempotency || events.length === 0) {
        await turns.get(taskId);
        return store.append(append);
      }
      const write = async () => {
        await sleep(200);
        await store.append(append);
      };
      const turn = (turns.get(taskId) ?? Promise.resolve()).then(write).catch(() => undefined);
      turns.set(taskId, turn);
      return { sequence: expectedSequence + events.length, epoch, at: Date.now(), queued: 0 };
    },
  });
}

/** Takes the tasks of every node whose lease is over by the clock of this node, and not by that of the store. */
function judgingByOwnClock(store) {
  let storeStartedAt = 0;
  return replace(store, {
    async renewNode(...given) {
      const renewal = await store.renewNode(...given);
      storeStartedAt = renewal.now - performance.now();
      return renewal;
    },
    async claimAbandoned(agent, node) {
      const nodes = await store.listNodes();
      const storeNow = storeStartedAt + performance.now();
      const isOver = (other) => other.node !== node && storeNow + other.leaseLeftMs < Date.now();
      const claimed = [];
      for (const other of nodes.filter(isOver)) {
        for (const taskId of await store.listHeld(agent, other.node)) {
          const { epoch: known, sequence } = (await store.loadRecord(taskId)) ?? {};
          if (known === undefined) continue;
          const epoch = await store.claim({ taskId, node, epoch: known, sequence });
          if (epoch !== undefined) claimed.push({ taskId, epoch, sequence });
        }
      }
      return claimed;
    },
  });
}

export function mutateStore(store, mutant) {
  if (mutant === "own-clock") return judgingByOwnClock(store);
  if (mutant === "no-epoch-check") return withoutEpochCheck(store);
  if (mutant === "early-acknowledgement") return acknowledgingEarly(store);
  return store;
}

/** The pause after which a node looks which tasks it has to poll; no other timer of the cluster is as long. */
const pollMs = 1000;

/** A clock by which nobody ever polls. */
export function mutateClock(mutant) {
  if (mutant !== "deaf-bus") return undefined;
  return {
    now: () => Date.now(),
    after(delayMs, callback) {
      if (delayMs === pollMs) return () => undefined;
      const timer = setTimeout(() => callback(), delayMs).unref();
      return () => clearTimeout(timer);
    },
  };
}

/** Loses half of the wake-ups and says that all is well. */
export function mutateBus(bus, mutant) {
  if (mutant !== "deaf-bus" || bus === undefined) return bus;
  return new Proxy(bus, {
    get(target, member) {
      if (member === "isConnected") return true;
      if (member === "onLost") return () => () => undefined;
      const value = Reflect.get(target, member, target);
      if (member === "publish") {
        return (...given) => (Math.random() < 0.5 ? undefined : value.apply(target, given));
      }
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
