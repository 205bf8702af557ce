import type { LogEntry } from "@parley/a2a/store";
import type { Delivery, Hop, HopSummary, PushAttempt } from "../../contract/index.js";
import { isWaiting, nameOfState } from "../log/states.js";
import { formatCount } from "../format.js";
import type { LogIndex } from "../log/log-index.js";

/** Something that took time. Times are milliseconds since 1970. */
export interface Span {
  readonly kind: "queued" | "run" | "step" | "stream" | "waiting" | "push" | "hop";
  readonly name: string;
  readonly from: number;
  /** Absent while it lasts. */
  readonly to?: number;
  /** How deep it stands below what it belongs to. */
  readonly depth: number;
  /** The entry that it begins with, where the log tells of it. */
  readonly position?: number;
  readonly detail?: string;
  readonly isFailed?: boolean;
  /** Moments within it, such as the first byte of an answer. */
  readonly marks?: readonly { readonly name: string; readonly at: number }[];
}

const spanLimit = 500;

/**
 * What a task spent its time on: in the queue, in runs and their steps and streams, and waiting for answers. A log knows
 * when a step ended and not when it began, so a step's span begins with the entry before it.
 */
export function spansOfLog(index: LogIndex, limit: number = spanLimit): Span[] {
  const reader = new SpanReader(limit);
  index.entries.forEach((entry, position) => reader.read(entry, position));
  return reader.end(index);
}

type OpenSpan = Omit<Span, "to">;

class SpanReader {
  readonly #spans: Span[] = [];
  readonly #limit: number;
  #queued: OpenSpan | undefined;
  #run: OpenSpan | undefined;
  #waiting: OpenSpan | undefined;
  #stream: (OpenSpan & { to: number; chunks: number }) | undefined;
  #before: LogEntry | undefined;

  constructor(limit: number) {
    this.#limit = limit;
  }

  read(entry: LogEntry, position: number): void {
    const { event, at } = entry;
    if (event.kind !== "artifact-updated") this.#endStream();
    switch (event.kind) {
      case "task-created":
        this.#queued = { kind: "queued", name: "Queued", from: at, depth: 0, position };
        break;
      case "message-added":
        this.#end("waiting", at);
        break;
      case "run-started":
        this.#end("queued", at);
        this.#end("run", at);
        this.#run = { kind: "run", name: `Run ${event.run}`, from: at, depth: 0, position };
        break;
      case "run-resumed":
        this.#add({
          kind: "run",
          name: `Attempt ${event.attempt}`,
          from: at,
          to: at,
          depth: 1,
          position,
          ...(event.revision !== "" && { detail: `revision ${event.revision}` }),
        });
        break;
      case "step-recorded":
        this.#add({
          kind: "step",
          name: event.name,
          from: this.#before?.at ?? at,
          to: at,
          depth: 1,
          position,
        });
        break;
      case "artifact-updated":
        this.#chunk(event.artifact.name ?? event.artifact.artifactId, at, position);
        break;
      case "status-changed": {
        const { state } = event.status;
        if (state === "TASK_STATE_WORKING") this.#end("queued", at);
        this.#end("waiting", at);
        if (isWaiting(state)) {
          const name = nameOfState(state);
          this.#waiting = { kind: "waiting", name, from: at, depth: 1, position };
        } else if (state !== "TASK_STATE_WORKING" && state !== "TASK_STATE_SUBMITTED") {
          this.#end("queued", at);
          this.#end("run", at);
        }
        break;
      }
      case "stream-recorded":
      case "question-asked":
      case "question-closed":
      case "message-taken":
      case "cancel-requested":
        break; // a moment, or told by the status beside it
    }
    this.#before = entry;
  }

  end(index: LogIndex): Span[] {
    this.#endStream();
    for (const span of [this.#queued, this.#run, this.#waiting]) if (span) this.#add(span);
    const last = index.length - 1;
    const hasEnded = !["SUBMITTED", "WORKING", "INPUT_REQUIRED", "AUTH_REQUIRED"].some(
      (name) => index.stateAt(last) === `TASK_STATE_${name}`,
    );
    return this.#spans
      .map((span) =>
        span.to === undefined && hasEnded ? { ...span, to: index.timeAt(last) } : span,
      )
      .sort((one, other) => one.from - other.from || one.depth - other.depth);
  }

  #chunk(name: string, at: number, position: number): void {
    const stream = this.#stream;
    if (stream?.name === name) {
      stream.to = at;
      stream.chunks += 1;
      return;
    }
    this.#endStream();
    this.#stream = { kind: "stream", name, from: at, to: at, depth: 1, position, chunks: 1 };
  }

  #endStream(): void {
    if (this.#stream === undefined) return;
    const { chunks, ...span } = this.#stream;
    this.#stream = undefined;
    this.#add({ ...span, detail: chunks === 1 ? "1 chunk" : `${formatCount(chunks)} chunks` });
  }

  #end(which: "queued" | "run" | "waiting", at: number): void {
    if (which === "queued") {
      if (this.#queued) this.#add({ ...this.#queued, to: at });
      this.#queued = undefined;
    } else if (which === "run") {
      if (this.#run) this.#add({ ...this.#run, to: at });
      this.#run = undefined;
    } else {
      if (this.#waiting) this.#add({ ...this.#waiting, to: at });
      this.#waiting = undefined;
    }
  }

  #add(span: Span): void {
    if (this.#spans.length < this.#limit) this.#spans.push(span);
  }
}

/** A request as a span: connecting, its first byte, its first event, its end. */
export function spanOfHop(hop: Hop | HopSummary): Span {
  const { startedAt, firstByteAt, firstEventAt, endedAt } = hop.timing;
  const marks = [
    { name: "first byte", at: firstByteAt },
    { name: "first event", at: firstEventAt },
  ].flatMap(({ name, at }) => (at === undefined ? [] : [{ name, at }]));
  const frames = "frameCount" in hop ? hop.frameCount : hop.frames.length;
  return {
    kind: "hop",
    name: hop.operation ?? `${hop.method} ${pathOf(hop.url)}`,
    from: startedAt,
    ...(endedAt !== undefined && { to: endedAt }),
    depth: 0,
    detail: `hop ${hop.id}, ${hop.status ?? "no answer"}${frames > 0 ? `, ${frames} frames` : ""}`,
    marks,
  };
}

/** An attempt to send a push notification, at the entry that it tells of. */
export function spanOfPush(push: PushAttempt, index: LogIndex): Span {
  const { sequence, attempt, host, startedAt, endedAt, outcome, reason } = push;
  const words = outcome === "failed" ? (reason ?? "failed") : (outcome ?? "under way");
  return {
    kind: "push",
    name: `Push of entry ${sequence}`,
    from: startedAt,
    ...(endedAt !== undefined && { to: endedAt }),
    depth: 0,
    position: index.positionOf(sequence),
    detail: `attempt ${attempt} to ${host}: ${words}`,
    ...(outcome === "failed" && { isFailed: true }),
  };
}

/** A push notification that has arrived, as a span without a length. */
export function spanOfDelivery(delivery: Delivery): Span {
  return {
    kind: "push",
    name: "Push",
    from: delivery.at,
    to: delivery.at,
    depth: 0,
    detail: `delivery ${delivery.id}, answered ${delivery.answered}`,
  };
}

function pathOf(url: string): string {
  try {
    return new URL(url).pathname;
  } catch {
    return url;
  }
}
