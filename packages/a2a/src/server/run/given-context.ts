import type { JsonValue, Message, TraceContext } from "../../protocol/internal.js";
import { textOf } from "../author/run-context.js";
import type { Journal } from "../journal/journal.js";
import type { TaskIdentity } from "../log/task-identity.js";
import { createAccepts } from "../media-types.js";
import { readCall } from "./call-record.js";
import type { GivenContext } from "./handler-context.js";
import type { RelatedTasks } from "./related-tasks.js";

/** Where the context of a run comes from. */
interface ContextSource {
  readonly journal: Journal;
  readonly message: Message;
  readonly credentials: JsonValue | undefined;
  readonly relatedTasks: RelatedTasks;
  /** Absent where the run has no span. */
  readonly trace: TraceContext | undefined;
}

/** What a handler is given with its message: who calls, what the call carried, and the tasks around it. */
export function givenContext(
  { owner, publicId: taskId, contextId }: TaskIdentity,
  { journal, message, credentials, relatedTasks, trace = journal.wokenBy }: ContextSource,
): GivenContext {
  const { caller, metadata, extensions, acceptedOutputModes } = readCall(journal.call);
  return {
    message,
    text: textOf(message),
    taskId,
    contextId,
    caller,
    tenant: owner.tenant === "" ? undefined : owner.tenant,
    metadata,
    credentials,
    trace,
    extensions,
    acceptedOutputModes,
    accepts: createAccepts(acceptedOutputModes),
    history: journal.history,
    referencedTasks: () => relatedTasks.referenced(owner, message.referenceTaskIds ?? []),
    earlierTasks: async (limit = 20) => {
      const tasks = await relatedTasks.earlier(owner, contextId, limit + 1);
      return tasks.filter(({ id }) => id !== taskId).slice(0, limit);
    },
  };
}
