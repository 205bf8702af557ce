import type { Artifact } from "../../protocol/internal.js";
import type { Journal } from "../journal/journal.js";
import type { RunSlot } from "../shares/run-slot.js";
import type { GivenContext } from "./handler-context.js";
import type { RunSpan } from "./spans/run-span.js";
import type { TaskWriter } from "./writer/task-writer.js";

/** What an activation begins with. */
export interface ActivationStart {
  /** As whom the run counts. */
  readonly share: string;
  /** For its first stretch of work. Whoever takes it releases it. */
  readonly slot: RunSlot;
  /** What is recorded of the run so far. */
  readonly journal: Journal;
  /** Writes to the run's task. Belongs to the activation. */
  readonly writer: TaskWriter;
  readonly context: GivenContext;
  /** Absent where nobody traces. */
  readonly span: RunSpan | undefined;
  /** Creates a task whatever the handler does. */
  readonly isTask: boolean;
  /** The artifacts of the task, for a handler that is begun again. */
  readonly artifacts: readonly Artifact[];
}
