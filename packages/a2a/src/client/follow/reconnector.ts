import { A2AError } from "../../protocol/internal.js";
import type { CallContext } from "../../protocol/internal.js";
import { isPassing, isRefusedStream, isUnsent } from "../calls/failures.js";
import { isSafeToRepeat } from "../calls/retry.js";
import type { WatchedStream } from "../calls/watched-stream.js";

export interface ReconnectorOptions {
  readonly call: CallContext;
  /** How many calls in all are made to an agent that cannot be reached. */
  readonly maxAttempts: number;
  /** How many connections in a row may fail before the stream gives up. */
  readonly maxReconnects: number;
}

/** How a connection has ended. */
export interface Outcome {
  /** The task to go on with; absent while the agent has said nothing that can be resumed. */
  readonly taskId: string | undefined;
  /** Absent when the agent closed the connection as if it had said everything. */
  readonly error: Error | undefined;
  /** Absent when the task was polled. */
  readonly stream: Pick<WatchedStream, "aliveMs" | "isStalled"> | undefined;
}

/** After so many connections in a row that brought nothing new, the task is polled. */
const maxFruitless = 3;

/** A connection that lasted this long counts as a good one, whatever it brought. */
const healthyMs = 5000;

/** Decides how a stream goes on after a connection has ended, by counting what went wrong before. */
export class Reconnector {
  /** Attempts in a row that brought nothing new; after `after`, the number of the attempt it has decided on. */
  attempts = 0;
  readonly #options: ReconnectorOptions;
  /** Connections in a row that stalled or repeated what the caller has. */
  #fruitless = 0;
  /** Whether the last event of the present connection brought nothing new. */
  #isRepeating = false;
  #isPolling = false;

  constructor(options: ReconnectorOptions) {
    this.#options = options;
  }

  /** Notes an event of the present connection. */
  heard(isNews: boolean): void {
    this.#isRepeating = !isNews;
    if (isNews || this.#isPolling) this.attempts = 0;
  }

  /** What to do next: make the first call again, resume the task's stream, poll the task, or fail. */
  after({ taskId, error, stream }: Outcome): "call" | "resume" | "poll" | Error {
    if (taskId === undefined) return this.#afterNoAnswer(error);
    const isRefused = !this.#isPolling && isRefusedStream(error);
    if (error !== undefined && !isRefused && !isWorthRetrying(error)) return error;
    const isFruitless =
      this.#isRepeating || stream?.isStalled === true || (error === undefined && this.attempts > 0);
    this.#isRepeating = false;
    if ((stream?.aliveMs ?? 0) >= healthyMs) this.attempts = this.#fruitless = 0;
    this.attempts += 1;
    this.#fruitless = isFruitless ? this.#fruitless + 1 : 0;
    if (this.attempts > this.#options.maxReconnects) {
      const message =
        `the stream of task ${taskId} broke and could not be resumed in ${this.attempts - 1} attempts; ` +
        `the task may still be running: watch("${taskId}") follows it`;
      const details = { metadata: { taskId } };
      return new A2AError("UNAVAILABLE", message, { details, cause: error });
    }
    // An agent that refuses to stream, or streams nothing new, still answers when it is polled.
    this.#isPolling ||= isRefused || this.#fruitless >= maxFruitless;
    return this.#isPolling ? "poll" : "resume";
  }

  /** Without an answer there is nothing to resume: only the call itself can be made again. */
  #afterNoAnswer(error: Error | undefined): "call" | Error {
    const { call, maxAttempts, maxReconnects } = this.#options;
    const isWorthIt = error === undefined || isPassing(error);
    const isSafe = isSafeToRepeat("sendStreamingMessage", call, error);
    const limit = isUnsent(error) ? maxAttempts : maxReconnects;
    if (isWorthIt && isSafe && this.attempts + 1 < limit) {
      this.attempts += 1;
      return "call";
    }
    // An error without a cause is the agent's own answer, which says that much; a lost connection does not.
    const isAnswer = A2AError.is(error) && error.cause === undefined;
    if (error !== undefined && (isAnswer || isSafe)) return error;
    const message =
      "the connection was lost before the agent answered; whether it has the message is not known " +
      "(with an idempotency key it would have been sent again)";
    return new A2AError("UNAVAILABLE", message, { cause: error });
  }
}

/** A proxy may answer in the agent's place with anything, so an answer that is not A2A is not final. */
function isWorthRetrying(error: unknown): boolean {
  return isPassing(error) || (A2AError.is(error) && error.code === "INVALID_AGENT_RESPONSE");
}
