import { createWriteStream } from "node:fs";
import type { WriteStream } from "node:fs";
import process from "node:process";
import type { StreamResponse } from "@parley/a2a";
import { hashEvent } from "@parley/a2a/testing";
import type {
  History,
  HistoryCall,
  HistoryFault,
  HistoryStream,
  StreamedEvent,
  WebhookArrival,
} from "@parley/a2a/testing";

/** Milliseconds on the clock that all processes of this machine share, and that nobody sets. */
export function monotonicNow(): number {
  return Number(process.hrtime.bigint() / 1000n) / 1000;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** A call that is under way. */
export type OpenCall = Writable<HistoryCall>;

/** A stream that is under way. */
export interface OpenStream extends Writable<Omit<HistoryStream, "events">> {
  readonly events: StreamedEvent[];
}

/** Writes down what callers, watchers and receivers see, as JSON lines too. */
export class Recorder {
  readonly calls: OpenCall[] = [];
  readonly streams: OpenStream[] = [];
  readonly arrivals: WebhookArrival[] = [];
  readonly faults: HistoryFault[] = [];
  readonly #file: WriteStream;

  constructor(path: string) {
    this.#file = createWriteStream(path);
  }

  begin(call: Omit<HistoryCall, "begunAt">): OpenCall {
    const begun: OpenCall = { ...call, begunAt: monotonicNow() };
    this.calls.push(begun);
    return begun;
  }

  end(call: OpenCall, result: Pick<HistoryCall, "outcome" | "taskId" | "digest" | "error">): void {
    Object.assign(call, result, { endedAt: monotonicNow() });
    this.#write("call", call);
  }

  open(name: string, taskId?: string): OpenStream {
    const stream: OpenStream = { name, events: [], outcome: "open", ...(taskId && { taskId }) };
    this.streams.push(stream);
    return stream;
  }

  see(stream: OpenStream, response: StreamResponse, sequence: number | undefined): void {
    const event: StreamedEvent = {
      at: monotonicNow(),
      hash: hashEvent(response),
      ...(sequence !== undefined && { id: sequence }),
      ...(response.task !== undefined && { isTask: true }),
    };
    stream.events.push(event);
    this.#write("event", { stream: stream.name, ...event });
  }

  arrive(arrival: Omit<WebhookArrival, "at">): void {
    const arrived = { ...arrival, at: monotonicNow() };
    this.arrivals.push(arrived);
    this.#write("arrival", arrived);
  }

  /** Notes a fault from its beginning to its end. */
  async fault(name: string, node: string | undefined, work: () => Promise<void>): Promise<void> {
    const begunAt = monotonicNow();
    try {
      await work();
    } finally {
      const fault = { name, begunAt, endedAt: monotonicNow(), ...(node !== undefined && { node }) };
      this.faults.push(fault);
      this.#write("fault", fault);
    }
  }

  /** All that was written down, with what the store holds in the end and what the nodes have traced. */
  history(end: History["end"], effects: History["effects"]): History {
    const { calls, streams, arrivals, faults } = this;
    for (const stream of streams)
      this.#write("stream", { ...stream, events: stream.events.length });
    this.#write("end", end);
    return { calls, streams, arrivals, faults, effects, end };
  }

  #write(kind: string, what: object): void {
    this.#file.write(`${JSON.stringify({ kind, ...what })}\n`);
  }
}
