import type {
  A2AError,
  AgentCard,
  JsonObject,
  JsonValue,
  Operation,
  ProtocolOperation,
  ProtocolVersion,
  RequestOf,
  ResultOf,
  StreamResponse,
  Task,
  TaskPushNotificationConfig,
  UnaryOperation,
} from "../protocol/internal.js";
import type { Cursor, Parser } from "../protocol/parse/internal.js";
import type { Dialect } from "./dialect.js";

/** What the encoding of an event depends on besides the event. */
export interface EventContext {
  /** True when the stream closes after this event. Only versions before 1.0 say so on the wire. */
  readonly final?: boolean;
  /** The artifact's index in its task, counted from 0. In 0.1 it is the artifact's id. */
  readonly artifactIndex?: (artifactId: string) => number;
  /** The task that the caller named. 0.1 has no answer without a task. */
  readonly taskId?: string;
}

/** What a client knows from its request or from earlier answers. It fills in what peers leave out. */
export interface KnownIds {
  readonly taskId?: string;
  readonly contextId?: string;
  /** The push configuration that the client asked to set. Some peers merely confirm it. */
  readonly config?: TaskPushNotificationConfig;
}

/** A JSON-RPC error object. */
export interface JsonRpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: JsonValue;
}

/** An error as the answer to a REST request. */
export interface HttpError {
  readonly status: number;
  readonly body: JsonObject;
}

/** The errors of one version. Decoding never throws: an unreadable error is `INVALID_AGENT_RESPONSE`. */
export interface ErrorCodec {
  readonly encodeJsonRpcError: (error: A2AError) => JsonRpcError;
  readonly decodeJsonRpcError: (error: unknown) => A2AError;
  readonly encodeHttpError: (error: A2AError) => HttpError;
  readonly decodeHttpError: (status: number, body: unknown) => A2AError;
}

/** The body of a push notification and its media type. */
export interface PushPayload {
  readonly contentType: string;
  readonly body: JsonValue;
}

/**
 * How a version calls its operations over JSON-RPC; `undefined` for those it does not have. Methods of extensions have
 * their own names.
 */
export type JsonRpcMethods = Readonly<Partial<Record<ProtocolOperation, string>>> & {
  readonly callMethod?: undefined;
};

/** Names that drafts and prose gave to JSON-RPC methods. Servers accept them; clients never send them. */
export type JsonRpcMethodAliases = Readonly<Record<string, ProtocolOperation>>;

/**
 * One dialect, both ways: `decode` turns its JSON into the model, `encode` the model into its JSON.
 * Decoding throws `A2AError` and nothing else. Operations a version does not have throw
 * `UNSUPPORTED_OPERATION` in both directions.
 */
export interface Codec extends ErrorCodec {
  readonly dialect: Dialect;
  readonly version: ProtocolVersion;
  readonly jsonRpcMethods: JsonRpcMethods;
  readonly jsonRpcMethodAliases: JsonRpcMethodAliases;

  /** For servers: the parameters of a request (JSON-RPC `params`; REST body, path and query joined). */
  readonly decodeRequest: { readonly [O in Operation]: Parser<RequestOf<O>> };
  readonly encodeResult: {
    readonly [O in UnaryOperation]: (result: ResultOf<O>, request: RequestOf<O>) => JsonValue;
  };
  /** The result of an operation where other versions have an error. `undefined` where this one has it too. */
  readonly resultOfError?: {
    readonly [O in UnaryOperation]?: (
      error: A2AError,
      request: RequestOf<O>,
    ) => JsonValue | undefined;
  };
  /** One message for each event, except in 0.1, where a task becomes several. */
  readonly encodeEvent: (response: StreamResponse, context: EventContext) => readonly JsonValue[];
  readonly encodePushPayload: (response: StreamResponse, task: Task) => PushPayload;
  readonly encodeAgentCard: (card: AgentCard) => JsonObject;

  /** For clients: the mirror image. */
  readonly encodeRequest: { readonly [O in Operation]: (request: RequestOf<O>) => JsonObject };
  readonly decodeResult: {
    readonly [O in UnaryOperation]: (json: unknown, cursor: Cursor, known: KnownIds) => ResultOf<O>;
  };
  readonly decodeEvent: (json: unknown, cursor: Cursor, known: KnownIds) => StreamResponse;
  readonly decodePushPayload: Parser<StreamResponse>;
  readonly decodeAgentCard: Parser<AgentCard>;
}

/** A codec whose push notifications carry the event alone, so that nobody has to load the task for them. */
export interface EventPushCodec extends Codec {
  readonly encodePushPayload: (response: StreamResponse) => PushPayload;
}

/** The half of a codec that a client needs. The code for rare results is loaded when one arrives. */
export interface PeerCodec extends Pick<
  Codec,
  | "dialect"
  | "version"
  | "jsonRpcMethods"
  | "encodeRequest"
  | "decodeEvent"
  | "decodeJsonRpcError"
  | "decodeHttpError"
> {
  readonly decodeResult: {
    readonly [O in UnaryOperation]: (
      json: unknown,
      cursor: Cursor,
      known: KnownIds,
    ) => ResultOf<O> | Promise<ResultOf<O>>;
  };
}
