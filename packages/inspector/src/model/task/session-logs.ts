import type { Message, StreamResponse, Task } from "@parley/a2a";
import type { Hop } from "../../contract/index.js";
import { readFrame, readRequest, readResponse } from "../translate/read-hop.js";
import type { ReadRequest } from "../translate/read-hop.js";
import { StreamLog } from "./stream-log.js";

interface Progress {
  /** Absent where the request is none of A2A. */
  readonly request: ReadRequest | undefined;
  frames: number;
  isAnswered: boolean;
  taskId: string | undefined;
  /** The message of the request, until it is known which task it belongs to. */
  sent: Message | undefined;
}

/** Tasks that a page keeps the logs of; the oldest go first. */
const taskLimit = 500;

/** The logs of the tasks that hops were about. A hop may be given again when more of it has come. */
export class SessionLogs {
  readonly logs: Map<string, StreamLog> = new Map();
  readonly #hops = new Map<number, Progress>();
  /** The highest number of an event by task, where agents number them: a stream that begins again may repeat some. */
  readonly #numbers = new Map<string, number>();

  /** Takes what a hop has brought since it was given last. Returns the ids of the tasks that have changed. */
  add(hop: Hop): ReadonlySet<string> {
    const changed = new Set<string>();
    const progress = this.#progressOf(hop);
    if (progress.request === undefined) return changed;
    for (; progress.frames < hop.frames.length; progress.frames += 1) {
      const frame = hop.frames[progress.frames];
      if (frame === undefined) continue;
      const number = frame.id === undefined ? Number.NaN : Number(frame.id);
      const event = eventOf(() => readFrame(frame, progress.request as ReadRequest));
      if (event !== undefined) this.#take({ event, at: frame.at, number }, progress, changed);
    }
    if (!progress.isAnswered && hop.responseBody !== undefined) {
      progress.isAnswered = true;
      const event = eventOf(() => readResponse(hop, progress.request as ReadRequest));
      const at = hop.timing.endedAt ?? hop.timing.startedAt;
      if (event !== undefined) this.#take({ event, at, number: Number.NaN }, progress, changed);
    }
    return changed;
  }

  #progressOf(hop: Hop): Progress {
    const known = this.#hops.get(hop.id);
    if (known !== undefined) return known;
    let request: ReadRequest | undefined;
    try {
      request = readRequest(hop);
    } catch {
      // A card, a key set, or bytes that a person has edited: nothing of a task.
    }
    const sent = (request?.request as { readonly message?: Message } | undefined)?.message;
    const progress = { request, frames: 0, isAnswered: false, taskId: undefined, sent };
    this.#hops.set(hop.id, progress);
    return progress;
  }

  #take(
    { event, at, number }: { event: StreamResponse; at: number; number: number },
    progress: Progress,
    changed: Set<string>,
  ): void {
    const taskId = idOf(event) ?? progress.taskId;
    if (taskId === undefined) return;
    progress.taskId = taskId;
    if (number <= (this.#numbers.get(taskId) ?? -Infinity)) return;
    if (!Number.isNaN(number)) this.#numbers.set(taskId, number);
    const log = this.#logOf(taskId);
    const { sent } = progress;
    progress.sent = undefined;
    const isKnown = log.entries.length > 0;
    if (sent !== undefined && isKnown) log.sent(sent, at);
    log.add(event, at);
    if (sent !== undefined && !isKnown) log.sent(sent, at);
    changed.add(taskId);
  }

  #logOf(taskId: string): StreamLog {
    const known = this.logs.get(taskId);
    if (known !== undefined) return known;
    const log = new StreamLog();
    this.logs.set(taskId, log);
    const oldest = this.logs.keys().next().value;
    if (this.logs.size > taskLimit && oldest !== undefined) this.logs.delete(oldest);
    return log;
  }
}

function eventOf(read: () => ReturnType<typeof readFrame>): StreamResponse | undefined {
  try {
    const answer = read();
    if (answer?.kind === "event") return answer.event;
    if (answer?.kind !== "result") return undefined;
    const { task, message, id, status } = answer.result as Partial<Task> & {
      task?: Task;
      message?: Message;
    };
    if (task !== undefined) return { task };
    if (message !== undefined) return { message };
    return id !== undefined && status !== undefined ? { task: answer.result as Task } : undefined;
  } catch {
    return undefined;
  }
}

function idOf({ task, message, statusUpdate, artifactUpdate }: StreamResponse): string | undefined {
  return task?.id ?? statusUpdate?.taskId ?? artifactUpdate?.taskId ?? message?.taskId;
}
