import { A2AError, isSettled, isTerminal } from "../../protocol/internal.js";
import type {
  AgentService,
  CallContext,
  StreamEvent,
  StreamingOperation,
  StreamResponse,
  Task,
} from "../../protocol/internal.js";
import { waitToRetry } from "../calls/backoff.js";
import type { Delivered } from "./delivered.js";
import { errorOf, isPassing, isRefusedStream, isUnsent } from "../calls/failures.js";
import { lookAgain, lookWhenever } from "./poll-task.js";
import { Place } from "./stream-position.js";
import { isSafeToRepeat } from "../calls/retry.js";
import type { Timers } from "../timers.js";
import { WatchedStream } from "../calls/watched-stream.js";

/** How a stream goes on after its connection was lost. */
export interface Reconnection {
  readonly taskId: string;
  /** Counted from 1, and anew once the stream has gone on. */
  readonly attempt: number;
  /**
   * By the number of the last event, which is exact; by comparing the task with what was told, which is
   * exact for artifacts and the state, but cannot tell which statuses came and went meanwhile; or by
   * looking at the task again and again, which is as good.
   */
  readonly by: "sequence" | "comparison" | "polling";
  /** Why; absent when the connection was closed as if all had been said. */
  readonly error?: Error;
}

export interface FollowOptions {
  readonly service: AgentService;
  readonly call: CallContext;
  readonly timers: Timers;
  readonly operation: StreamingOperation;
  /** Where the stream ends: when the task has ended, or also when it waits for its caller. */
  readonly until: "ended" | "settled";
  /** What the caller knows already; of what is in it nothing is told again. */
  readonly delivered: Delivered;
  /** How often in a row reconnecting may fail before the stream gives up. */
  readonly maxAttempts: number;
  /** How often in all an agent is called that nobody reaches. */
  readonly maxCalls: number;
  readonly stallMs: number;
  /** How often a task is looked at where a stream does not tell it. */
  readonly pollMs: number;
  readonly onReconnect?: ((reconnection: Reconnection) => void) | undefined;
}

type Open = (call: CallContext) => AsyncIterable<StreamEvent>;

/** So many connections in a row that tell nothing new: then the task is looked at instead. */
const maxFruitless = 3;
/** A connection that lasted this long was a good one, whatever it told. */
const healthyMs = 5000;

/**
 * A stream that does not break. Whatever happens to the connection, the events go on where they
 * stopped: by sequence where the server numbers them, else by comparing the task with what was told,
 * else by looking at the task again and again. Ends when the task has ended or waits for its caller,
 * or with an error that says what happened. Never cancels anything.
 */
export async function* follow(
  first: Open,
  options: FollowOptions,
): AsyncGenerator<StreamResponse, void, void> {
  const { service, call, timers, operation, delivered } = options;
  const isSend = operation === "sendStreamingMessage";
  let stream: WatchedStream | undefined;
  const place = new Place(call.resumeAfter);
  const openFirst = (): AsyncIterable<StreamEvent> => {
    stream = new WatchedStream(first, { ...options, mayTakeTime: isSend });
    return stream.events;
  };
  const openNext = (id: string): AsyncIterable<StreamEvent> => {
    const look = (): Promise<Task> => service.getTask({ id }, call);
    stream = polls ? undefined : resubscribe(id, place.sequence, options);
    return stream === undefined
      ? lookAgain(look, options)
      : resumed(stream, { look, place, options });
  };
  let failures = 0;
  let fruitless = 0;
  let polls = false;
  let hasBegun = false;
  const { taskId } = delivered;
  let source = isSend || taskId === undefined ? openFirst() : openNext(taskId);

  for (;;) {
    let error: Error | undefined;
    let isFruitless = false;
    try {
      for await (const event of source) {
        const isOther = (hasBegun || !isSend) && isOfAnotherTask(event.response, delivered);
        const noted = place.note(event);
        if (noted === "again") continue;
        // Comparing the task with what was told is right whatever this is.
        if (noted === "unclear" || isOther) break;
        hasBegun = true;
        const told = news(event.response, delivered);
        isFruitless = told.length === 0;
        if (polls || !isFruitless) failures = 0;
        for (const response of told) {
          delivered.add(response);
          yield response;
        }
        if (event.response.message !== undefined || isOver(delivered, options)) return;
      }
      isFruitless ||= failures > 0;
    } catch (caught) {
      call.signal?.throwIfAborted();
      error = errorOf(caught);
    } finally {
      stream?.close();
    }
    const id = delivered.taskId;
    if (id === undefined || (isSend && !hasBegun)) {
      await waitToOpenAgain(error, failures, options);
      failures += 1;
      source = openFirst();
      continue;
    }
    const isRefused: boolean = isRefusedStream(error) && !polls;
    if (error !== undefined && !isRefused && !isWorthRetrying(error)) throw error;
    if ((stream?.aliveMs ?? 0) >= healthyMs) failures = fruitless = 0;
    failures += 1;
    fruitless = isFruitless || stream?.isStalled === true ? fruitless + 1 : 0;
    if (failures > options.maxAttempts) throw gaveUp(id, failures - 1, error);
    // What refuses to stream can still be asked, and so can what streams nothing new.
    polls ||= isRefused || fruitless >= maxFruitless;
    options.onReconnect?.({
      taskId: id,
      attempt: failures,
      by: polls ? "polling" : place.sequence === undefined ? "comparison" : "sequence",
      ...(error !== undefined && { error }),
    });
    if (!isRefused) await waitToRetry(timers, failures - 1, error, call.signal);
    source = openNext(id);
  }
}

interface Resumption {
  readonly look: () => Promise<Task>;
  readonly place: Place;
  readonly options: FollowOptions;
}

/**
 * The events of a later connection. Numbered ones continue what was told, once the numbers are seen to
 * go on. Of others nobody knows whether they were told already: they are taken as a sign that there is
 * news, and the task is looked at.
 */
async function* resumed(
  { events }: WatchedStream,
  { look, place, options }: Resumption,
): AsyncGenerator<StreamEvent, void, void> {
  const first = await events.next();
  if (first.done === true) return;
  const { response, sequence: number } = first.value;
  const isContinued = number !== undefined && number > (place.sequence ?? Infinity);
  if (isContinued || (number !== undefined && place.isNumbered && response.task !== undefined)) {
    yield first.value;
    yield* events;
    return;
  }
  if (response.task !== undefined) yield { response };
  yield* lookWhenever(prepend(first.value, events), look, options);
}

async function* prepend<T>(first: T, others: AsyncIterable<T>): AsyncGenerator<T, void, void> {
  yield first;
  yield* others;
}

function resubscribe(
  id: string,
  sequence: number | undefined,
  options: FollowOptions,
): WatchedStream {
  const call = { ...options.call, ...(sequence !== undefined && { resumeAfter: sequence }) };
  return new WatchedStream((one) => options.service.subscribeToTask({ id }, one), {
    ...options,
    call,
    mayTakeTime: false,
  });
}

/** What of a response was not told yet. */
function news(response: StreamResponse, delivered: Delivered): readonly StreamResponse[] {
  const { task } = response;
  return task !== undefined && task.id === delivered.taskId ? delivered.missing(task) : [response];
}

/** Whoever doubles a send on its way has two tasks tell of themselves. */
function isOfAnotherTask(
  { task, statusUpdate, artifactUpdate }: StreamResponse,
  { taskId }: Delivered,
): boolean {
  const told = task?.id ?? (statusUpdate ?? artifactUpdate)?.taskId;
  return told !== undefined && told !== taskId;
}

/** Nothing came yet, so there is nothing to resume: only the call itself could be made again. */
async function waitToOpenAgain(
  error: Error | undefined,
  failures: number,
  { call, timers, maxAttempts, maxCalls, operation }: FollowOptions,
): Promise<void> {
  const isOfTheWay = error === undefined || isPassing(error);
  const limit = isUnsent(error) ? maxCalls : maxAttempts;
  const isSafe = isSafeToRepeat(operation, call, error);
  if (!isOfTheWay || !isSafe || failures + 1 >= limit) {
    // Whoever answered with an error has said that much; whoever was cut off has not.
    const isAnswered = A2AError.is(error) && error.cause === undefined;
    if (error !== undefined && (isAnswered || isSafe)) throw error;
    const message =
      "the connection was lost before the agent said anything; whether it has the message is not " +
      "known (with an idempotency key it would have been sent again)";
    throw new A2AError("UNAVAILABLE", message, { cause: error });
  }
  await waitToRetry(timers, failures, error, call.signal);
}

function isOver({ state }: Delivered, { until }: FollowOptions): boolean {
  if (state === undefined) return false;
  return until === "ended" ? isTerminal(state) : isSettled(state);
}

/** Whatever stands between may answer anything, so an answer that is no A2A is no last word. */
function isWorthRetrying(error: unknown): boolean {
  return isPassing(error) || (A2AError.is(error) && error.code === "INVALID_AGENT_RESPONSE");
}

function gaveUp(taskId: string, attempts: number, cause: unknown): A2AError {
  const message =
    `the stream of task ${taskId} broke and could not be resumed in ${attempts} attempts; ` +
    `the task may go on: watch("${taskId}") follows it`;
  return new A2AError("UNAVAILABLE", message, { details: { metadata: { taskId } }, cause });
}
