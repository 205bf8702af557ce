import type { Clock } from "../async/internal.js";
import type { Bus } from "../bus/internal.js";
import { openRuntime } from "../server/internal.js";
import type { Agent, Runtime, RuntimeOptions } from "../server/internal.js";
import type { Store } from "../store/internal.js";

/** What all nodes of a trial share. */
export interface TrialWorld {
  readonly store: Store;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly settings: NonNullable<RuntimeOptions["settings"]>;
  readonly report: NonNullable<RuntimeOptions["report"]>;
}

/** A node that can be killed as a process is: from one moment to the next nothing of it reaches the others. */
export interface TrialNode {
  readonly service: Runtime;
  kill(): void;
}

export async function openTrialNode(agent: Agent, world: TrialWorld): Promise<TrialNode> {
  let isDead = false;
  const unlessDead =
    <Args extends readonly unknown[]>(work: (...args: Args) => void) =>
    (...args: Args): void => {
      if (!isDead) work(...args);
    };
  const alive = (): Promise<void> =>
    new Promise((resolve) => {
      if (!isDead) resolve();
    });
  const { store, bus, clock, settings, report } = world;
  const service = await openRuntime({
    agent,
    settings,
    report: unlessDead(report),
    clock: {
      now: () => clock.now(),
      after: (delayMs, callback) => clock.after(delayMs, unlessDead(callback)),
    },
    bus: {
      description: bus.description,
      isShared: bus.isShared,
      isConnected: bus.isConnected,
      publish: unlessDead((taskId, sequence) => bus.publish(taskId, sequence)),
      subscribe: (taskId, wake) => bus.subscribe(taskId, unlessDead(wake)),
      publishTopic: unlessDead((topic, message) => bus.publishTopic(topic, message)),
      subscribeTopic: (topic, hear) => bus.subscribeTopic(topic, unlessDead(hear)),
      onLost: (callback) => bus.onLost(unlessDead(callback)),
      close: async () => undefined,
      [Symbol.asyncDispose]: async () => undefined,
    },
    store: new Proxy(store, {
      get(target, name, receiver) {
        const member: unknown = Reflect.get(target, name, receiver);
        if (typeof member !== "function") return member;
        // What a dead node asks for is not done, and what it is told does not arrive.
        return async (...args: unknown[]): Promise<unknown> => {
          await alive();
          const result: unknown = await Reflect.apply(member, target, args);
          await alive();
          return result;
        };
      },
    }),
  });
  return {
    service,
    kill: () => {
      isDead = true;
    },
  };
}
