import { isSettled } from "../../protocol/internal.js";
import type { StreamEvent } from "../../protocol/internal.js";
import { delay, fromBatches } from "../../async/internal.js";
import type { Batches } from "../../async/internal.js";
import type { OpenedForTask } from "./connection.js";
import { otherTask } from "./delivered.js";

/**
 * Passes on events that have no numbers, or whose numbers say nothing. They may be in the task that the caller has
 * received: once one is certainly not, it and all after it are passed on. Until then they only say that the task may
 * have changed, and the task is polled. After a lost connection it always is: a proxy that loses or doubles
 * connections must not make the caller miss a chunk, or hear it twice.
 */
export async function* compareWithTask(
  first: readonly StreamEvent[],
  others: Batches<StreamEvent>,
  options: OpenedForTask,
): AsyncGenerator<StreamEvent, void, void> {
  const { id, service, call, delivered } = options;
  const events = fromBatches(startingWith(first, others));
  let next = await events.next();
  if (next.done === true) return;
  const { task: given } = next.value.response;
  const isResumed = delivered.task() !== undefined;
  yield { response: { task: given ?? (await service.getTask({ id }, call)) } };
  let isNew = false;
  if (given !== undefined) next = await events.next();
  for (; next.done !== true; next = await events.next()) {
    const { response } = next.value;
    const { statusUpdate } = response;
    if (isResumed) return yield* pollOnEvents(next.value, events, options);
    isNew ||= delivered.lacks(response);
    if (isNew) {
      if (statusUpdate !== undefined && isSettled(statusUpdate.status.state)) {
        // Some servers lose what happens while a subscription opens. The artifacts show it.
        const task = await service.getTask({ id }, call).catch(() => undefined);
        const status = { state: "TASK_STATE_UNSPECIFIED" } as const;
        if (task) yield { response: { task: { ...task, status } } };
      }
      yield next.value;
      continue;
    }
    const other = otherTask(response, id);
    if (other) throw other;
    if (statusUpdate === undefined) {
      return yield* pollOnEvents(next.value, events, options);
    }
  }
}

async function* startingWith<T>(first: readonly T[], others: Batches<T>): Batches<T> {
  yield first;
  yield* others;
}

/**
 * Polls the task at once and then when events arrive, once for all events of an interval. After an event
 * that says that the task has settled, polls until the task itself says so.
 */
async function* pollOnEvents(
  first: StreamEvent,
  events: AsyncIterable<StreamEvent>,
  { id, service, call, clock, pollMs }: OpenedForTask,
): AsyncGenerator<StreamEvent, void, void> {
  let hasChanged = false;
  let hasEnded = false;
  /** An event said that the task has settled, and no poll has seen that yet. */
  let isSettling = false;
  let wake: () => void = () => undefined;
  const note = ({ response }: StreamEvent): void => {
    const other = otherTask(response, id);
    if (other) throw other;
    const { state } = response.statusUpdate?.status ?? response.task?.status ?? {};
    hasChanged = true;
    if (state !== undefined) isSettling = isSettled(state);
    wake();
  };
  const read = async (): Promise<void> => {
    try {
      note(first);
      for await (const event of events) note(event);
    } finally {
      hasEnded = true;
      wake();
    }
  };
  const reading = read();
  // Its error is thrown below; a reader that has left does not ask for it.
  reading.catch(() => undefined);
  for (;;) {
    while (!hasChanged && !isSettling && !hasEnded) {
      await new Promise<void>((resolve) => (wake = resolve));
    }
    if (!hasChanged && !isSettling) return reading;
    hasChanged = false;
    const task = await service.getTask({ id }, call);
    if (isSettled(task.status.state)) isSettling = false;
    yield { response: { task } };
    await delay(clock, pollMs, call.signal);
  }
}
