import type {
  JsonObject,
  Message,
  Part,
  SendMessageConfiguration,
  Task,
  TraceContext,
} from "../protocol/internal.js";
import type { Reconnection } from "./follow/reconnector.js";

/** A file, as its bytes. */
export interface FileItem {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly mediaType?: string;
  readonly filename?: string;
}

/** One piece of a message: text, a part of the protocol, or a file. */
export type ContentItem = string | Part | FileItem | Blob;

/** The content of a message: one piece or several. */
export type Content = ContentItem | readonly ContentItem[];

/** Options of every call. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  /** URIs of the extensions to request; those of `connect` when absent. */
  readonly extensions?: readonly string[];
  /** Sent beside the request: as headers, or as metadata (§3.2.6). */
  readonly serviceParameters?: Readonly<Record<string, string>>;
  /** The trace that the call is part of, such as `context.trace` in a handler. The agent gets it with the call. */
  readonly trace?: TraceContext;
  /** Called with the extensions that the agent has activated. */
  readonly onExtensions?: (uris: readonly string[]) => void;
}

/** Answers an agent that waits; `undefined` when there is nothing to say to the agent. */
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
  /** Makes the agent answer a repeated send with the first one's result, if the agent supports it. */
  readonly idempotencyKey?: string;
  /** Answers the agent when it asks for input; without an answer the call ends there. */
  readonly onInputRequired?: AnswerWaiting;
  /** Called when the agent waits for authorization; without an answer the client goes on watching the task. */
  readonly onAuthRequired?: AnswerWaiting;
  /** Called before a stream goes on after its connection was lost. */
  readonly onReconnect?: (reconnection: Reconnection) => void;
}

/** How a task is watched, and when the watching ends. */
export interface WatchOptions extends CallOptions, Pick<SendOptions, "onReconnect"> {
  /** With `settled`, the stream ends also when the task waits for its caller. */
  readonly until?: "settled";
}

/** How long and how often a client tries. */
export interface Patience {
  /** How many times in all a call is tried that may be repeated. */
  readonly maxAttempts: number;
  /** How many times in a row a stream may fail to reconnect. */
  readonly maxReconnects: number;
  /**
   * A stream, or an answer that has begun, that is silent for this long, heartbeats included, counts as dead. So does a
   * read that is not answered.
   */
  readonly stallMs: number;
  /** The interval at which a task is polled when it is not streamed. */
  readonly pollMs: number;
}
