import type { Message } from "../../protocol/internal.js";
import type { Agent } from "../author/agent.js";
import type { Draft } from "../log/draft.js";
import type { GivenContext } from "./handler-context.js";
import type { Journal } from "./journal.js";
import type { Held } from "./run-task.js";

/** How the caller gets its answer: as a direct reply, or from the task with this key in the store. */
export type Decision = { readonly reply: Message } | { readonly taskKey: string };

/** What a run begins with. */
export interface RunStart {
  readonly agent: Agent;
  /** What is recorded of the run so far. */
  readonly journal: Journal;
  /** The task, when there is one already. */
  readonly held?: Held;
  /** Creates the task as of a time, with these events after the ones that every task begins with. */
  readonly create: (first: Draft, at: number) => Promise<Held>;
  /** Creates a task whatever the handler does. */
  readonly isTask?: boolean;
  /** The key of the task in the store, and the id that callers see. */
  readonly key: string;
  readonly taskId: string;
  readonly contextId: string;
  readonly context: GivenContext;
}

/**
 * How a run ended. "over": for good, or until its task gets a message. "continues": a message is left for the
 * next run, which begins now. "dropped": in the middle, because the store failed.
 */
export type RunEnd = "over" | "continues" | "dropped";
