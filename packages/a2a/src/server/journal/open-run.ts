import type { TraceContext } from "../../protocol/internal.js";
import type { LiveTask } from "../log/live-task.js";
import { Journal, traceOfCall } from "./journal.js";

/** What has happened to the run that is opened. */
export interface OpenRun {
  /** The node that worked on the task has died: a plain agent's run begins again only if an answer was not taken up. */
  readonly isRecovery?: boolean;
  /** That node has not died, but has handed over the task. */
  readonly isHandedOver?: boolean;
  /** The run before this one has written its start. */
  readonly isStarted?: boolean;
}

/** What an opened run needs to know of its agent. */
interface RunAgent {
  readonly version: string;
  readonly durable: boolean;
}

/** How often a handler is begun without a record: it takes its process down each time. */
const maxAttempts = 20;

const notResumed =
  "The process that worked on this task stopped before it was done, and this agent does not resume.";

const messageLost = "The store has lost the message that this run was to answer. Send it again.";

const begunTooOften =
  `The process that worked on this task stopped ${maxAttempts} times before it was done` +
  ` or had finished a step, a question or a named stream.`;

/** A handler that is about to be begun. */
export interface Beginning {
  readonly reason: "message" | "answer" | "recovered" | "handed-over";
  readonly run: number;
  readonly attempt: number;
  /** The trace of the call that woke it. */
  readonly wokenBy: TraceContext | undefined;
  /** The span in which a handler worked on the task before. */
  readonly before: TraceContext | undefined;
}

interface Opening {
  readonly agent: RunAgent;
  readonly epoch: number;
  /** Begins the span of the handler, and returns what the log keeps of it. */
  readonly begin: ((beginning: Beginning) => TraceContext | undefined) | undefined;
}

/**
 * Reads the journal of the run to begin, and writes its start: that of the next run if the current one is over.
 * Resolves with words for the task's failure where the run cannot be begun again.
 */
export async function openRun(
  live: LiveTask,
  { agent, epoch, begin }: Opening,
  { isRecovery = false, isHandedOver = false, isStarted = false }: OpenRun,
): Promise<Journal | string> {
  const journal = new Journal();
  await live.refresh();
  await readInto(journal, live);
  const { run, wokenBy, trace: before } = journal;
  if (isStarted && journal.attempt === 1 && !journal.isOver) {
    begin?.({ reason: "message", run, attempt: 1, wokenBy, before });
    return journal;
  }
  const next = journal.isOver ? journal.nextRun() : undefined;
  const isLost = isRecovery && !agent.durable;
  const reason = next === undefined ? reasonToFail(journal, isLost) : undefined;
  if (reason !== undefined) return reason;
  const start = next ?? journal.resumed("begins-again", agent.version);
  const recovery = isHandedOver ? "handed-over" : "recovered";
  const trace = begin?.(
    start.kind === "run-started"
      ? { reason: "message", run: start.run, attempt: 1, wokenBy: traceOfCall(start.call), before }
      : { reason: isRecovery ? recovery : "answer", run, attempt: start.attempt, wokenBy, before },
  );
  const traced = trace === undefined ? start : { ...start, trace };
  await live.write(() => ({ events: [traced] }), { epoch });
  await readInto(journal, live);
  return journal;
}

/** Why the current run cannot be begun again; `undefined` when it can. With `isLost` its work cannot be repeated. */
function reasonToFail(journal: Journal, isLost: boolean): string | undefined {
  if (journal.message === undefined) return messageLost;
  if (isLost && journal.isTakenUp) return notResumed;
  return journal.vainAttempts >= maxAttempts ? begunTooOften : undefined;
}

/** Brings a journal up to the last entry of the log. */
async function readInto(journal: Journal, live: LiveTask): Promise<void> {
  for await (const entry of live.entriesAfter(journal.lastSequence)) journal.add(entry);
}
