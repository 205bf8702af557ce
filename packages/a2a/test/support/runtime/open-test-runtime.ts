import { createInProcessBus } from "../../../src/bus/index.js";
import type { Bus } from "../../../src/bus/index.js";
import type { CallContext, Message, SendMessageRequest } from "../../../src/protocol/internal.js";
import { agent, openRuntime } from "../../../src/server/index.js";
import type {
  AgentDefinition,
  Handler,
  Runtime,
  RuntimeOptions,
  RuntimeSettings,
} from "../../../src/server/index.js";
import { createMemoryStore } from "../../../src/store/memory/index.js";
import type { Store } from "../../../src/store/index.js";
import { createTestClock } from "../../../src/testing/index.js";
import type { TestClock } from "../../../src/testing/index.js";

export interface TestRuntimeOptions
  extends
    Omit<Partial<AgentDefinition>, "run">,
    Pick<RuntimeOptions, "newId" | "pushSender" | "address" | "telemetry"> {
  readonly run: Handler;
  readonly store?: Store;
  readonly bus?: Bus;
  readonly clock?: TestClock;
  readonly settings?: Partial<RuntimeSettings>;
  /** How long each call to the store takes on its way there and back; one turn of the event loop when absent. */
  readonly latency?: () => Promise<void>;
}

interface Reported {
  readonly error: unknown;
  readonly taskId: string;
  readonly reference: string | undefined;
}

/** A runtime over a store in memory. The test advances its clock. */
export interface TestRuntime extends AsyncDisposable {
  readonly service: Runtime;
  readonly store: Store;
  readonly bus: Bus;
  readonly clock: TestClock;
  /** Errors that the runtime reported to the operator and not to callers. */
  readonly reports: readonly Reported[];
  /** How many tasks the runtime holds in memory; it listens on the bus once for each. */
  readonly watched: number;
  /** Freezes the runtime like a stopped process: no timer fires, no write arrives. */
  freeze(): void;
  /** Thaws the runtime: what it missed happens at once. A runtime that stays frozen counts as killed. */
  thaw(): void;
}

export async function openTestRuntime(options: TestRuntimeOptions): Promise<TestRuntime> {
  const {
    clock = createTestClock(),
    bus = createInProcessBus(),
    store = createMemoryStore({ clock }),
    settings = {},
    latency,
    newId,
    pushSender,
    address,
    telemetry,
    ...definition
  } = options;
  const reports: Reported[] = [];
  const process = createProcess();
  let watched = 0;
  const service = await openRuntime({
    agent: agent({ name: "Tested", description: "An agent under test", ...definition }),
    store: process.storeOf(store, latency),
    bus: {
      ...bus,
      get isConnected() {
        return bus.isConnected;
      },
      subscribe(taskId, wake) {
        const heard = bus.subscribe(taskId, (sequence) => process.run(() => wake(sequence)));
        let isSubscribed = true;
        watched += 1;
        const stop = (): void => {
          if (isSubscribed) watched -= 1;
          isSubscribed = false;
          heard.stop();
        };
        return { ready: heard.ready, stop };
      },
      subscribeTopic: (topic, hear) =>
        bus.subscribeTopic(topic, (message) => process.run(() => hear(message))),
    },
    clock: {
      now: () => clock.now(),
      after: (delayMs, callback) => clock.after(delayMs, () => process.run(callback)),
    },
    settings,
    report: (error, taskId, reference) => reports.push({ error, taskId, reference }),
    ...(newId !== undefined && { newId }),
    ...(pushSender !== undefined && { pushSender }),
    ...(address !== undefined && { address }),
    ...(telemetry !== undefined && { telemetry }),
  });
  return {
    service,
    store,
    bus,
    clock,
    reports,
    get watched() {
      return watched;
    },
    freeze: process.freeze,
    thaw: process.thaw,
    async [Symbol.asyncDispose]() {
      if (process.isFrozen()) return;
      const closing = service.close();
      await clock.advance(settings.stopGraceMs ?? 10_000);
      await closing;
    },
  };
}

/** A switch that freezes everything behind it, and thaws it. */
function createProcess() {
  const missed: (() => void)[] = [];
  let isFrozen = false;
  const run = (work: () => void): void => {
    if (isFrozen) missed.push(work);
    else work();
  };
  return {
    isFrozen: () => isFrozen,
    run,
    freeze: () => {
      isFrozen = true;
    },
    thaw: () => {
      isFrozen = false;
      for (const work of missed.splice(0)) work();
    },
    /** Wraps a store: each call takes a moment before and after, and a frozen caller does not reach it. */
    storeOf: (store: Store, latency = async (): Promise<void> => undefined): Store =>
      new Proxy(store, {
        get(target, name, receiver) {
          const member: unknown = Reflect.get(target, name, receiver);
          if (typeof member !== "function") return member;
          return async (...args: unknown[]): Promise<unknown> => {
            await latency();
            await new Promise<void>((resolve) => run(resolve));
            const result: unknown = await Reflect.apply(member, target, args);
            await latency();
            await new Promise<void>((resolve) => run(resolve));
            return result;
          };
        },
      }),
  };
}

/** The context of an anonymous call in the latest version. */
export function call(overrides: Partial<CallContext> = {}): CallContext {
  return { version: "1.0", ...overrides };
}

/** The context of a call by an authenticated caller. */
export function callBy(subject: string, overrides: Partial<CallContext> = {}): CallContext {
  return call({ principal: { subject }, ...overrides });
}

let messages = 0;

/** A request to send a text. */
export function say(
  text: string,
  members: Partial<Message> = {},
  request: Omit<SendMessageRequest, "message"> = {},
): SendMessageRequest {
  messages += 1;
  const messageId = `message-${messages}`;
  return { message: { messageId, role: "ROLE_USER", parts: [{ text }], ...members }, ...request };
}

/** A request to send a text, whose caller does not wait for the task. */
export function sayAndLeave(text: string, members: Partial<Message> = {}): SendMessageRequest {
  return say(text, members, { configuration: { returnImmediately: true } });
}
