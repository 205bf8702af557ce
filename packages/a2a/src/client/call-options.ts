import type { JsonObject, Message, SendMessageConfiguration, Task } from "../protocol/internal.js";
import type { Content } from "./content.js";
import type { Reconnection } from "./follow.js";

/** What concerns every call. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  /** URIs of extensions to ask for; those of `connect` when absent. */
  readonly extensions?: readonly string[];
  /** Sent beside the request: as headers, or as metadata (§3.2.6). */
  readonly serviceParameters?: Readonly<Record<string, string>>;
  /** Hears which extensions the agent has activated. */
  readonly onExtensions?: (uris: readonly string[]) => void;
}

/** What to say to an agent that waits: an answer, or nothing when the wait ends by other means. */
export type AnswerWaiting = (
  question: Message | undefined,
  task: Task,
) => Content | undefined | Promise<Content | undefined>;

/** How one message is sent: to which task or context, and what happens when the agent asks. */
export interface SendOptions extends SendMessageConfiguration, CallOptions {
  readonly taskId?: string;
  readonly contextId?: string;
  readonly referenceTaskIds?: readonly string[];
  readonly metadata?: JsonObject;
  /** Makes a repeated send answer with the first one's result, where the agent offers it. */
  readonly idempotencyKey?: string;
  /** Answers when the agent asks for input; without an answer the call ends there. */
  readonly onInputRequired?: AnswerWaiting;
  /** Called when the agent waits for authorization; without an answer the task is watched on. */
  readonly onAuthRequired?: AnswerWaiting;
  /** Hears how a stream goes on after its connection was lost. */
  readonly onReconnect?: (reconnection: Reconnection) => void;
}

/** How patient a client is. */
export interface Patience {
  /** How often a call is tried that may be tried again. */
  readonly maxAttempts: number;
  /** How often in a row a stream may fail to reconnect. */
  readonly maxReconnects: number;
  /** Silence on a stream, heartbeats included, after which its connection is taken for dead. */
  readonly stallMs: number;
  /** How often a task is looked at where a stream does not tell it. */
  readonly pollMs: number;
}

/** How a task is watched, and when the watching ends. */
export interface WatchOptions extends CallOptions, Pick<SendOptions, "onReconnect"> {
  /** Ends also when the task waits for its caller. */
  readonly until?: "settled";
}
