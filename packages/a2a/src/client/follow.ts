import { A2AError, isSettled, isTerminal } from "../protocol/index.js";
import type { AgentService, CallContext, StreamEvent } from "../protocol/index.js";
import { backoffMs } from "./backoff.js";
import { Delivered } from "./delivered.js";
import type { Timers } from "./timers.js";

export interface FollowOptions {
  readonly service: AgentService;
  readonly call: CallContext;
  readonly timers: Timers;
  /** How often in a row reconnecting may fail before the stream gives up. */
  readonly maxAttempts: number;
  /** Silence after which a connection is taken for dead. */
  readonly stallMs: number;
  /** How often a task is looked at where streams are not to be had. */
  readonly pollMs: number;
  /** A subscription watches on while the task waits for input; a send ends there. */
  readonly endsAtInterruption: boolean;
}

/**
 * A stream that does not break. Whatever happens to the connection, the events go on where they
 * stopped: by sequence where the server numbers them, else by comparing the task with what was told,
 * else by looking at the task again and again. Ends when the task has ended or waits for its caller,
 * or with an error that says what happened.
 */
export async function* follow(
  first: AsyncIterable<StreamEvent>,
  options: FollowOptions,
): AsyncGenerator<StreamEvent, void, void> {
  const { service, call, timers } = options;
  const delivered = new Delivered();
  let source: AsyncIterable<StreamEvent> | undefined = first;
  let sequence = call.resumeAfter;
  let failures = 0;
  let lastError: unknown;

  for (;;) {
    try {
      for await (const event of withStallDetection(source ?? poll(options, delivered), options)) {
        failures = 0;
        if (event.response.message !== undefined) {
          yield event;
          return;
        }
        if (event.sequence !== undefined && event.sequence <= (sequence ?? 0)) continue;
        sequence = event.sequence ?? sequence;
        const responses =
          delivered.taskId !== undefined && event.response.task !== undefined
            ? delivered.missing(event.response.task)
            : [event.response];
        for (const response of responses) {
          delivered.add(response);
          yield { ...event, response };
        }
        if (isOver(delivered, options)) return;
      }
      lastError = undefined;
    } catch (error) {
      const isRefused = isRefusedStream(error) && delivered.taskId !== undefined;
      if (call.signal?.aborted === true || !(isPassing(error) || isRefused)) throw error;
      if (isRefused) {
        // The task has ended meanwhile, or the agent does not stream: looking at it tells which.
        source = undefined;
        continue;
      }
      lastError = error;
    }
    const id = delivered.taskId;
    if (id === undefined) {
      throw lastError instanceof Error
        ? lastError
        : new A2AError("INVALID_AGENT_RESPONSE", "the stream ended without an event");
    }
    failures += 1;
    if (failures > options.maxAttempts) {
      const message = `the stream of task ${id} broke and could not be resumed in ${options.maxAttempts} attempts`;
      throw new A2AError("UNAVAILABLE", message, { cause: lastError });
    }
    await timers.delay(
      backoffMs(failures - 1, { firstMs: 200, maxMs: 30_000, random: timers.random }),
      call.signal,
    );
    source = service.subscribeToTask(
      { id },
      { ...call, ...(sequence !== undefined && { resumeAfter: sequence }) },
    );
  }
}

function isOver(delivered: Delivered, { endsAtInterruption }: FollowOptions): boolean {
  const { state } = delivered;
  if (state === undefined) return false;
  return isTerminal(state) || (endsAtInterruption && isSettled(state));
}

/** Errors of the way rather than of the agent: worth another try. */
function isPassing(error: unknown): boolean {
  if (!A2AError.is(error)) return true;
  return (
    error.code === "UNAVAILABLE" ||
    error.code === "INVALID_AGENT_RESPONSE" ||
    error.code === "RESOURCE_EXHAUSTED"
  );
}

/** How agents refuse to stream: the task has ended, or they never do. */
function isRefusedStream(error: unknown): boolean {
  return A2AError.is(error) && error.code === "UNSUPPORTED_OPERATION";
}

/** Looks at the task again and again, for agents that do not stream. */
async function* poll(
  { service, call, timers, pollMs }: FollowOptions,
  delivered: Delivered,
): AsyncGenerator<StreamEvent, void, void> {
  const id = delivered.taskId;
  while (id !== undefined && call.signal?.aborted !== true) {
    yield { response: { task: await service.getTask({ id }, call) } };
    await timers.delay(pollMs, call.signal);
  }
}

/** Gives up on a connection that says nothing for too long. */
async function* withStallDetection(
  events: AsyncIterable<StreamEvent>,
  { timers, stallMs }: FollowOptions,
): AsyncGenerator<StreamEvent, void, void> {
  const iterator = events[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await timers.withDeadline(iterator.next(), stallMs, () => {
        throw new A2AError("UNAVAILABLE", `the stream was silent for ${stallMs} ms`);
      });
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    // The iterator may hang in a read that never ends; nobody waits for it.
    void iterator.return?.().then(undefined, () => undefined);
  }
}
