import type {
  FinalState,
  History,
  HistoryCall,
  HistoryEffect,
  HistoryFault,
  HistoryStream,
  StreamedEvent,
  WebhookArrival,
} from "../../history/history.js";
import type { FaultName } from "../engine/faults.js";

/** A stream as it is being recorded. */
export interface OpenStream {
  readonly name: string;
  taskId?: string;
  readonly events: StreamedEvent[];
  outcome: HistoryStream["outcome"];
}

type Mutable<T> = { -readonly [Member in keyof T]: T[Member] };

/** A call as it is being recorded. */
export type OpenCall = Mutable<HistoryCall>;

/** Writes down what callers, watchers, steps and receivers see. */
export class Recorder {
  readonly calls: OpenCall[] = [];
  readonly streams: OpenStream[] = [];
  readonly effects: HistoryEffect[] = [];
  readonly arrivals: WebhookArrival[] = [];
  readonly faults: HistoryFault[] = [];
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  call(call: Omit<HistoryCall, "begunAt" | "outcome" | "endedAt">): OpenCall {
    const open: OpenCall = { ...call, begunAt: this.#now() };
    this.calls.push(open);
    return open;
  }

  stream(name: string): OpenStream {
    const stream: OpenStream = { name, events: [], outcome: "open" };
    this.streams.push(stream);
    return stream;
  }

  effect(effect: Omit<HistoryEffect, "at">): void {
    this.effects.push({ ...effect, at: this.#now() });
  }

  arrival(arrival: Omit<WebhookArrival, "at">): void {
    this.arrivals.push({ ...arrival, at: this.#now() });
  }

  /** What was written down up to now. */
  history(end: FinalState): History {
    return {
      calls: this.calls.map((call) => ({ ...call })),
      streams: this.streams.map((stream) => ({ ...stream, events: [...stream.events] })),
      effects: [...this.effects],
      arrivals: [...this.arrivals],
      faults: [...this.faults],
      end,
    };
  }

  clear(): void {
    for (const list of [this.calls, this.streams, this.effects, this.arrivals, this.faults]) {
      list.length = 0;
    }
  }

  fault(name: FaultName, endsInMs = 0, node?: string): void {
    const begunAt = this.#now();
    const endedAt = begunAt + endsInMs;
    this.faults.push({ name, begunAt, endedAt, ...(node !== undefined && { node }) });
  }
}
