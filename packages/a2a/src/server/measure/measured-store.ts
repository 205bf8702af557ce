import { A2AError, isTerminal } from "../../protocol/internal.js";
import { instruments } from "../../protocol/telemetry/internal.js";
import { attribute } from "../../protocol/tracing/internal.js";
import type { Labels, Metrics, TaskState } from "../../protocol/internal.js";
import type { Append, Appended, ClaimedTask, Store } from "../../store/internal.js";
import { headOf } from "../log/write.js";
import { createdAtOf } from "../new-id.js";
import { kindOf } from "../meters.js";

/** What is no operation, or none whose time says anything. */
const untimed: ReadonlySet<PropertyKey> = new Set([
  "constructor",
  "close",
  "connections",
  Symbol.asyncDispose,
]);

type Operation = (...parameters: never[]) => Promise<unknown>;

/**
 * A store in front of a store: times every operation, and counts what an agent's node writes and takes over. The members
 * are found once, so that an operation costs no more than to read the clock twice.
 */
export function measuredStore(store: Store, metrics: Metrics, agent: string): Store {
  const series = new StoreSeries(store, metrics, agent);
  const measured: PropertyDescriptorMap = {};
  for (const [name, member] of membersOf(store)) {
    if (typeof member.value !== "function") {
      measured[name] = { get: () => Reflect.get(store, name, store) as unknown };
    } else if (untimed.has(name)) {
      measured[name] = { value: (member.value as Operation).bind(store) };
    } else {
      measured[name] = { value: series.timed(String(name), store) };
    }
  }
  return Object.defineProperties({}, measured as PropertyDescriptorMap) as Store;
}

/** The members of a store, those of its classes included; the nearest of each name. */
function membersOf(store: Store): ReadonlyMap<string, PropertyDescriptor> {
  const members = new Map<string, PropertyDescriptor>();
  for (let owner: object | null = store; owner !== null && owner !== Object.prototype;) {
    for (const name of Reflect.ownKeys(owner) as string[]) {
      const member = Reflect.getOwnPropertyDescriptor(owner, name);
      if (member !== undefined && !members.has(name)) members.set(name, member);
    }
    owner = Reflect.getPrototypeOf(owner);
  }
  return members;
}

class StoreSeries {
  readonly #metrics: Metrics;
  readonly #agent: Labels;
  readonly #store: Labels;
  readonly #events: (increment: number) => void;
  readonly #batch: (value: number) => void;
  readonly #appending: (seconds: number) => void;
  readonly #created: (increment: number) => void;
  readonly #takenOver: (increment: number) => void;
  readonly #fenced: (increment: number) => void;
  readonly #ended = new Map<
    TaskState,
    readonly [count: (one: number) => void, (s: number) => void]
  >();
  readonly #refused = new Map<string, (increment: number) => void>();

  constructor(store: Store, metrics: Metrics, agent: string) {
    this.#metrics = metrics;
    this.#agent = { [attribute.agentName]: agent };
    this.#store = { [attribute.store]: kindOf(store.description) };
    this.#events = metrics.counter(instruments.eventAppended, this.#store);
    this.#batch = metrics.histogram(instruments.appendBatch, this.#store);
    this.#appending = metrics.histogram(instruments.appendDuration, this.#store);
    this.#created = metrics.counter(instruments.taskCreated, this.#agent);
    this.#takenOver = metrics.counter(instruments.leaseTakeovers, this.#agent);
    this.#fenced = metrics.counter(instruments.leaseFenced, this.#agent);
  }

  /** An operation that is timed. Its promise is the store's own. */
  timed(name: string, store: Store): Operation {
    let time: ((seconds: number) => void) | undefined;
    // A store in front of a store may have another member of that name than its own.
    const call = Reflect.get(store, name, store) as Operation;
    return (...parameters) => {
      const startedAt = performance.now();
      const work = call.apply(store, parameters);
      time ??= this.#metrics.histogram(instruments.storeDuration, {
        [attribute.dbOperation]: name,
      });
      const ended = (): number => {
        const seconds = (performance.now() - startedAt) / 1000;
        time?.(seconds);
        return seconds;
      };
      if (name === "append") {
        const [append] = parameters as unknown as [Append];
        work.then(
          (appended) => this.#appended(append, appended as Appended, ended()),
          (error: unknown) => this.#refuse(append, error, ended()),
        );
      } else if (name === "claimAbandoned") {
        work.then((claimed) => {
          ended();
          this.#takenOver((claimed as readonly ClaimedTask[]).length);
        }, ended);
      } else work.then(ended, ended);
      return work;
    };
  }

  #appended({ taskId, events, create, status }: Append, { at }: Appended, seconds: number): void {
    this.#appending(seconds);
    this.#events(events.length);
    if (events.length > 0) this.#batch(events.length);
    if (create !== undefined) this.#created(1);
    if (status === undefined || !isTerminal(status.state)) return;
    const [count, lasted] = this.#endedIn(status.state);
    count(1);
    const createdAt = createdAtOf(taskId);
    if (createdAt !== undefined) lasted(Math.max(0, at - createdAt) / 1000);
  }

  #endedIn(state: TaskState): readonly [(one: number) => void, (seconds: number) => void] {
    const known = this.#ended.get(state);
    if (known !== undefined) return known;
    const labels = { ...this.#agent, [attribute.taskState]: state };
    const series = [
      this.#metrics.counter(instruments.taskEnded, labels),
      this.#metrics.histogram(instruments.taskDuration, labels),
    ] as const;
    this.#ended.set(state, series);
    return series;
  }

  #refuse(append: Append, error: unknown, seconds: number): void {
    this.#appending(seconds);
    const reason = reasonOf(append, error);
    if (reason === "fenced") this.#fenced(1);
    let refused = this.#refused.get(reason);
    if (refused === undefined) {
      const labels = { ...this.#store, [attribute.reason]: reason };
      refused = this.#metrics.counter(instruments.appendRefused, labels);
      this.#refused.set(reason, refused);
    }
    refused(1);
  }
}

function reasonOf(append: Append, error: unknown): string {
  if (!A2AError.is(error)) return "failed";
  if (error.code === "UNSUPPORTED_OPERATION") return "ended";
  if (error.code === "RESOURCE_EXHAUSTED") return "quota";
  if (error.code !== "CONCURRENT_MODIFICATION") return "failed";
  const head = headOf(error);
  const isFenced = append.expectedSequence !== undefined && (head?.epoch ?? 0) > append.epoch;
  return isFenced ? "fenced" : "conflict";
}
