import type { AuditLog } from "../auth/internal.js";
import type { HttpHandler } from "../http/internal.js";
import type { AgentService, Authenticator } from "../protocol/internal.js";
import type { PushOutbox, PushSender, RuntimeFigures } from "../server/internal.js";
import type { Store } from "../store/internal.js";

/** An agent of a server, as an inspector sees it. */
export interface InspectedAgent {
  readonly name: string;
  /** The path of its mount, such as `/`. */
  readonly path: string;
  /** Its operations, for callers of every kind. Decisions about them are recorded where the server has an audit log. */
  readonly service: AgentService;
  /** How many runs are at work and how many wait, at this moment. */
  figures(): RuntimeFigures;
  /** Its push notifications that wait or were given up. */
  readonly push: PushOutbox;
}

/** What a server lets its inspector see and do. */
export interface InspectedServer {
  /** The URL of the server on this machine. */
  readonly url: string;
  /** The URL that cards name, if it is another. */
  readonly publicUrl?: string;
  readonly agents: readonly InspectedAgent[];
  readonly store: Store;
  /** The scope by which the server knows its operators. */
  readonly operatorScope: string;
  /** What tells the server who calls: its own authenticator, or else that of its first agent with one. Absent: nothing does. */
  readonly auth?: Authenticator;
  readonly audit?: AuditLog;
  /** Answers a request for the server as its port does, without a socket. */
  readonly answer: (request: Request) => Promise<Response>;
}

/** An inspector that stands beside a server and listens. */
export interface OpenedInspector {
  readonly url: string;
  /** A link that lets one person in, once. */
  newLink(): string;
  close(): Promise<void>;
}

/**
 * What `serve` takes as its inspector, such as `createInspector()` of `@parley/inspector`. It is opened once the server
 * answers, and closed before the server stops.
 */
export interface ServerInspector {
  /** Stands in front of the server's handler, and sees what callers exchange with it. */
  watch(handle: HttpHandler): HttpHandler;
  /** Stands in front of the sender of an agent's push notifications, and sees each attempt and its outcome. */
  watchPush?(sender: PushSender): PushSender;
  open(server: InspectedServer): Promise<OpenedInspector>;
}
