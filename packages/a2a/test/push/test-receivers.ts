import { A2AError } from "../../src/protocol/internal.js";
import type { Task } from "../../src/protocol/internal.js";
import type { PushNotification, PushOutcome, PushSender } from "../../src/server/index.js";
import type { TestClock } from "../../src/testing/index.js";

interface Received {
  readonly url: string;
  readonly notification: PushNotification;
  /** For dialects that send it. */
  readonly task: Task | undefined;
  readonly at: number;
}

type Behaviour = (notification: PushNotification, signal: AbortSignal) => Promise<PushOutcome>;

export const arrives: Behaviour = async () => ({ kind: "arrived" });
export const fails: Behaviour = async () => ({ kind: "failed", reason: "answered 500" });
/** Never answers, not even when it is told to leave off. */
export const hangs: Behaviour = () => new Promise(() => undefined);

/** Receivers in the place of a network: each address behaves as it is told, by default well. */
export interface TestReceivers extends PushSender {
  /** Every attempt, in order. */
  readonly attempts: readonly Received[];
  /** How many attempts are under way, and how many there ever were at a time. */
  readonly underWay: number;
  readonly mostUnderWay: number;
  readonly isClosed: boolean;
  behave(url: string, behaviour: Behaviour): void;
  /** What arrived at an address, in a few words each: `1 task submitted`. */
  arrivedAt(url: string): readonly PushNotification[];
}

export function createTestReceivers(clock: TestClock): TestReceivers {
  const behaviours = new Map<string, Behaviour>();
  const attempts: Received[] = [];
  const arrived: Received[] = [];
  let underWay = 0;
  let mostUnderWay = 0;
  let isClosed = false;
  return {
    attempts,
    get underWay() {
      return underWay;
    },
    get mostUnderWay() {
      return mostUnderWay;
    },
    get isClosed() {
      return isClosed;
    },
    behave: (url, behaviour) => void behaviours.set(url, behaviour),
    arrivedAt: (url) =>
      arrived.filter((one) => one.url === url).map(({ notification }) => notification),
    async admit({ url }) {
      if (!url.startsWith("https://")) throw new A2AError("INVALID_PARAMS", "url: expected https");
    },
    async send(notification, signal) {
      const { url } = notification.config;
      const task = notification.dialect === "1.0" ? undefined : await notification.task();
      const received = { url, notification, task, at: clock.now() };
      attempts.push(received);
      underWay += 1;
      mostUnderWay = Math.max(mostUnderWay, underWay);
      signal.addEventListener("abort", () => (underWay -= 1), { once: true });
      const outcome = await (behaviours.get(url) ?? arrives)(notification, signal);
      if (!signal.aborted) underWay -= 1;
      if (outcome.kind === "arrived") arrived.push(received);
      return outcome;
    },
    async close() {
      isClosed = true;
    },
  };
}
