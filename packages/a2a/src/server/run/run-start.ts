import type { Message } from "../../protocol/internal.js";
import type { Agent } from "../author/agent.js";
import type { Draft } from "../log/draft.js";
import type { GivenContext } from "./handler-context.js";
import type { Journal } from "./journal.js";
import type { Held } from "./run-task.js";

/** How a run's caller gets its answer: directly, or by watching the task with this store's id. */
export type Decision = { readonly reply: Message } | { readonly taskKey: string };

/** Where a run begins. */
export interface RunStart {
  readonly agent: Agent;
  /** What is recorded of the run so far. */
  readonly journal: Journal;
  /** The task, when there is one already. */
  readonly held?: Held;
  /** Creates the task as of a moment, with these events after those every task begins with. */
  readonly create: (first: Draft, at: number) => Promise<Held>;
  /** There is to be a task whatever the handler does. */
  readonly isTask?: boolean;
  /** The store's id of the task, and the one callers see. */
  readonly key: string;
  readonly taskId: string;
  readonly contextId: string;
  readonly context: GivenContext;
}

/**
 * How a run ended: for good or until its task is woken, with a message left for the next run, or in the
 * middle, because the store failed.
 */
export type RunEnd = "over" | "continues" | "dropped";
