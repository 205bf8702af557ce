import type { Bus, BusSubscription } from "./bus.js";
import { Subscribers } from "./subscribers.js";

const ready = Promise.resolve();

/** The bus of a single process. */
export function createInProcessBus(): Bus {
  const tasks = new Subscribers<number>();
  const topics = new Subscribers<string>();
  let isClosed = false;
  const subscribe = <Heard>(
    subscribers: Subscribers<Heard>,
    name: string,
    hear: (heard: Heard) => void,
  ): BusSubscription =>
    isClosed ? { ready, stop: () => {} } : { ready, stop: subscribers.add(name, hear) };
  const close = async (): Promise<void> => {
    isClosed = true;
    tasks.clear();
    topics.clear();
  };
  return {
    description: "this process",
    isShared: false,
    isConnected: true,
    publish: (taskId, sequence) => tasks.tell(taskId, sequence),
    subscribe: (taskId, wake) => subscribe(tasks, taskId, wake),
    publishTopic: (topic, message) => topics.tell(topic, message),
    subscribeTopic: (topic, hear) => subscribe(topics, topic, hear),
    onLost: () => () => {},
    close,
    [Symbol.asyncDispose]: close,
  };
}
