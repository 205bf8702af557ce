import { createInProcessBus } from "../../src/bus/index.js";
import type { Bus } from "../../src/bus/index.js";
import type { CallContext, Message, SendMessageRequest } from "../../src/protocol/internal.js";
import { agent, openRuntime } from "../../src/server/index.js";
import type {
  AgentDefinition,
  Handler,
  Runtime,
  RuntimeOptions,
  RuntimeSettings,
} from "../../src/server/index.js";
import { createMemoryStore } from "../../src/store/memory/index.js";
import type { Store } from "../../src/store/index.js";
import { createTestClock } from "../../src/testing/index.js";
import type { TestClock } from "../../src/testing/index.js";

export interface TestRuntimeOptions
  extends
    Omit<Partial<AgentDefinition>, "run">,
    Pick<RuntimeOptions, "extendedCard" | "newId" | "pushSender"> {
  readonly run: Handler;
  readonly store?: Store;
  readonly bus?: Bus;
  readonly clock?: TestClock;
  readonly settings?: Partial<RuntimeSettings>;
  /** How long the store takes to hear a call, and to be heard; a moment when absent. */
  readonly latency?: () => Promise<void>;
}

interface Reported {
  readonly error: unknown;
  readonly taskId: string;
  readonly reference: string | undefined;
}

/** A runtime over a store in memory, with a clock that the test advances. */
export interface TestRuntime extends AsyncDisposable {
  readonly service: Runtime;
  readonly store: Store;
  readonly bus: Bus;
  readonly clock: TestClock;
  /** What callers were not told. */
  readonly reports: readonly Reported[];
  /** How many tasks the runtime has in memory: it listens for each of them once. */
  readonly watched: number;
  /** Stops the runtime in its tracks, as a process is stopped: no timer fires, no write arrives. */
  freeze(): void;
  /** Lets it go on; what it missed happens at once. A runtime that never goes on was killed. */
  thaw(): void;
}

export async function openTestRuntime(options: TestRuntimeOptions): Promise<TestRuntime> {
  const { clock = createTestClock(), bus = createInProcessBus() } = options;
  const { store = createMemoryStore(), extendedCard, newId, pushSender } = options;
  const { name = "Tested", description = "An agent under test" } = options;
  const reports: Reported[] = [];
  const process = createProcess();
  let watched = 0;
  const service = await openRuntime({
    agent: agent({ ...options, name, description }),
    store: process.storeOf(store, options.latency),
    bus: {
      ...bus,
      subscribe(taskId, wake) {
        const unsubscribe = bus.subscribe(taskId, (sequence) => process.run(() => wake(sequence)));
        let isSubscribed = true;
        watched += 1;
        return () => {
          if (isSubscribed) watched -= 1;
          isSubscribed = false;
          unsubscribe();
        };
      },
    },
    clock: {
      now: () => clock.now(),
      after: (delayMs, callback) => clock.after(delayMs, () => process.run(callback)),
    },
    settings: options.settings ?? {},
    report: (error, taskId, reference) => reports.push({ error, taskId, reference }),
    ...(extendedCard !== undefined && { extendedCard }),
    ...(newId !== undefined && { newId }),
    ...(pushSender !== undefined && { pushSender }),
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
      await clock.advance(options.settings?.stopGraceMs ?? 10_000);
      await closing;
    },
  };
}

/** Something that can be stopped and go on. */
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
    /** The same store, which takes a moment before and after each call, and does not hear a frozen caller. */
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

/** An anonymous caller of the latest version, unless said otherwise. */
export function call(overrides: Partial<CallContext> = {}): CallContext {
  return { version: "1.0", ...overrides };
}

/** A call by somebody. */
export function callBy(subject: string, overrides: Partial<CallContext> = {}): CallContext {
  return call({ principal: { subject }, ...overrides });
}

let messages = 0;

/** A message of text, as a request. */
export function say(
  text: string,
  members: Partial<Message> = {},
  request: Omit<SendMessageRequest, "message"> = {},
): SendMessageRequest {
  messages += 1;
  const messageId = `message-${messages}`;
  return { message: { messageId, role: "ROLE_USER", parts: [{ text }], ...members }, ...request };
}

/** A message whose sender does not wait. */
export function sayAndLeave(text: string, members: Partial<Message> = {}): SendMessageRequest {
  return say(text, members, { configuration: { returnImmediately: true } });
}
