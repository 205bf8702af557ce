import type { Operation, RequestOf, ResultOf, StreamResponse, UnaryOperation } from "@parley/a2a";
import type { DeliveryKey } from "@parley/a2a/store";
import type { Problem } from "./connection.js";
import type { Resumption } from "./feed.js";
import type { HeaderList, HopSummary } from "./hop.js";

/*
 * Every route is below `api/` beside the page. All but `session` need `Authorization: Bearer TOKEN`; all but GET need
 * `Content-Type: application/json`, a body included. An answer with a status of 2xx is what the route says; any other
 * is a `Refused`. The one exception is `call`: what the agent says, errors included, comes with status 200.
 *
 *   POST   session                     SessionRequest → Session
 *   GET    capabilities                → Capabilities
 *   GET    connections                 → { connections: Connection[] }
 *   POST   connections                 ConnectionRequest → Connection
 *   DELETE connections/:c              → {}
 *   POST   connections/:c/call         CallRequest → CallAnswer, or for the two streaming operations an event stream of CallEvent
 *   POST   connections/:c/raw          RawRequest → { hop: number }
 *   POST   connections/:c/fault        Fault → {}
 *   POST   connections/:c/probe        → { interfaces: InterfaceReport[] }: calls every interface of the card
 *   GET    events?after=               → an event stream of FeedItem
 *   GET    hops?after=&limit=          → HopPage
 *   GET    hops/:h                     → Hop
 *   GET    recording?task=             → the text of a `.parley.jsonl` file; file mode: the file that was opened
 *   POST   previews                    PreviewRequest → { url: string }: for one iframe, once
 *   GET    receiver                    → Receiver
 *   POST   receiver                    ReceiverRequest → Receiver
 *   GET    deliveries                  → { deliveries: Delivery[] }
 *   GET    pushes                      → PushAttempts
 *   GET    tasks?…                     → TaskList
 *   GET    tasks/:t                    → { record: TaskRecord }
 *   GET    tasks/:t/log?after=&limit=  → LogPage
 *   GET    tasks/:t/relatives          → { tasks: TaskRecord[] }: of other contexts, by a common trace
 *   POST   tasks/:t/cancel             {} → { state: TaskState }
 *   GET    overview                    → Overview
 *   GET    dead?agent=&after=&limit=   → DeadLetters
 *   POST   dead/revive, dead/discard   DeadRequest → { count: number }
 *   POST   nodes/:n/release            {} → { released: boolean }
 */

/** The body of every answer whose status is not 2xx. */
export interface Refused {
  readonly error: Problem;
}

/** The code comes from the fragment of the printed link: `#code=…`. It is good once, for five minutes. */
export interface SessionRequest {
  readonly code: string;
  /** Asked for by a backend that other machines reach: it refuses with `details.metadata.needs` of `key`. */
  readonly key?: string;
  /**
   * What an operator shows to the server beside the inspector, and the name of the header or parameter in which callers
   * send it. Asked for where other machines reach the backend, and the server knows its callers: `needs` is `operator`.
   */
  readonly operator?: { readonly name: string; readonly value: string };
}

/** Sent with every further request as `Authorization: Bearer TOKEN`. Lives in sessionStorage, nowhere else. */
export interface Session {
  readonly token: string;
}

/** Calls one of the eleven operations, in the 1.0 model. */
export type CallRequest<O extends Operation = Operation> = {
  readonly [P in O]: {
    readonly operation: P;
    readonly request: RequestOf<P>;
    readonly idempotencyKey?: string;
    readonly extensions?: readonly string[];
    /** Sent beside the request: as headers, or as gRPC metadata. */
    readonly serviceParameters?: Readonly<Record<string, string>>;
  };
}[O];

/** What an agent has answered. `hops` are the exchanges of the call. */
export type CallAnswer<O extends UnaryOperation = UnaryOperation> = {
  readonly hops: readonly number[];
} & ({ readonly result: ResultOf<O> } | { readonly error: Problem });

/** The data of an event of a streaming call. The last one is `end` or `problem`. */
export type CallEvent =
  | { readonly kind: "event"; readonly response: StreamResponse; readonly sequence?: number }
  | { readonly kind: "resumed"; readonly resumption: Resumption }
  | { readonly kind: "end"; readonly hops: readonly number[] }
  | { readonly kind: "problem"; readonly error: Problem; readonly hops: readonly number[] };

/** Bytes for the connection's own origin, as a person has edited them. */
export interface RawRequest {
  readonly method: string;
  /** A URL of the origin of the connection, or a path there. */
  readonly url: string;
  /** Those that are `[redacted]` are sent as the backend knows them. */
  readonly headers: HeaderList;
  readonly body?: string;
  /** The hop that was edited. */
  readonly resentFrom?: number;
}

/** Breaks the streams of a connection under the client. */
export type Fault =
  /** At once, or once so many further events have come. */
  | { readonly kind: "cut"; readonly afterEvents?: number }
  /** Nothing comes for so long, 70 s when absent; the connection stays open. */
  | { readonly kind: "silence"; readonly ms?: number }
  /** The client reads a piece every so many milliseconds, 500 when absent. */
  | { readonly kind: "slow"; readonly everyMs?: number }
  /** Streams go on as they are. */
  | { readonly kind: "none" };

export interface HopPage {
  readonly hops: readonly HopSummary[];
  /** How many are no longer there. */
  readonly dropped: number;
}

export interface PreviewRequest {
  readonly html: string;
}

/** What is asked of the receiver of push notifications; what is absent stays as it is. */
export interface ReceiverRequest {
  readonly behaviour?: 200 | 410 | 429 | 500 | "hang";
  /** Empty: nowhere. */
  readonly forwardTo?: string;
  /** The token that deliveries have to carry. Write-only. */
  readonly token?: string;
  /** The agent whose keys check signatures; the latest connection's when absent. */
  readonly agent?: string;
  /** The URL of a tunnel to the receiver, without the path of the webhook. Empty: there is none. */
  readonly publicUrl?: string;
}

/** Which dead letters are meant: one, or all of an agent. */
export interface DeadRequest {
  readonly agent: string;
  /** Absent: all of them. */
  readonly delivery?: DeliveryKey;
}
