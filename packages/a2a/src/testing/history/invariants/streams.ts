import type { HistoryStream } from "../history.js";
import type { TaskTrace } from "../task-trace.js";
import type { TracedHistory } from "../traced-history.js";
import type { Violation } from "../violation.js";

/** Each stream, over all its connections, is a run of the log without a gap, a repetition or a change. */
export function* checkStreams({ streams, traces }: TracedHistory): Iterable<Violation> {
  for (const stream of streams) {
    if (stream.events.length === 0 || stream.taskId === undefined) continue;
    const trace = traces.get(stream.taskId);
    const problem = trace === undefined ? "it shows a task without a log" : follow(stream, trace);
    if (problem === undefined) continue;
    const message = `stream ${stream.name}: ${problem}`;
    yield { invariant: "streams", taskId: stream.taskId, message };
  }
}

/** Follows the log with the stream; says what is wrong with the first event that does not fit. */
function follow({ events }: HistoryStream, trace: TaskTrace): string | undefined {
  /** The last entry that the watcher knows; absent until an event has told. */
  let known: number | undefined;
  for (const { id, hash, isTask } of events) {
    if (isTask === true) {
      const problem = checkTask(trace, { id, hash, known });
      if (problem !== undefined) return problem;
      known = id ?? known;
      continue;
    }
    if (id === undefined) return "an update has no id";
    const before = trace.shownBefore.get(id);
    if (before === undefined) return `it shows event ${id}, which the log does not show`;
    if (trace.shown.get(id) !== hash) return `event ${id} is another one than in the log`;
    if (known !== undefined && id <= known) return `event ${id} came after event ${known}`;
    if (known !== undefined && before > known) {
      return `event ${before} is missing between ${known} and ${id}`;
    }
    known = id;
  }
  return undefined;
}

function checkTask(
  trace: TaskTrace,
  {
    id,
    hash,
    known = 0,
  }: {
    readonly id: number | undefined;
    readonly hash: string;
    readonly known: number | undefined;
  },
): string | undefined {
  if (id === undefined) {
    const latest = trace.latest.get(hash);
    if (latest === undefined) return "it begins with a task that the log never made";
    return latest < known
      ? `it goes back to a task as of ${latest} after event ${known}`
      : undefined;
  }
  if (id < known) return `it goes back to the task as of ${id} after event ${known}`;
  return trace.digests[id] === hash ? undefined : `its task as of ${id} is not what the log makes`;
}
