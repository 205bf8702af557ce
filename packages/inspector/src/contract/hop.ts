import type { Operation, ProtocolVersion } from "@parley/a2a";
import type { Binding } from "./connection.js";

export type HeaderList = readonly (readonly [name: string, value: string])[];

/** One event of a stream, a heartbeat, or a message of gRPC. Times are milliseconds since 1970. */
export interface Frame {
  readonly at: number;
  readonly kind: "event" | "comment" | "message";
  readonly id?: string;
  readonly event?: string;
  /** Text; of a gRPC message its JSON form. */
  readonly data: string;
  /** The bytes of a gRPC message. */
  readonly hex?: string;
  readonly bytes: number;
}

/** A request and its answer, as they were on the wire. Secrets are `[redacted]`. */
export interface Hop {
  /** Counted from 1. */
  readonly id: number;
  /** The hop that this one has sent again, edited. */
  readonly resentFrom?: number;
  /** Absent on a hop that a caller has made to the server beside the inspector. */
  readonly connection?: string;
  readonly direction: "sent" | "received";
  readonly operation?: Operation;
  readonly version?: ProtocolVersion;
  readonly binding?: Binding;
  /** The spelling on the wire, as `@parley/a2a/wire` names it. */
  readonly dialect?: string;
  readonly method: string;
  readonly url: string;
  readonly requestHeaders: HeaderList;
  readonly requestBody?: string;
  readonly status?: number;
  readonly responseHeaders?: HeaderList;
  /** Absent for a stream, which has frames. */
  readonly responseBody?: string;
  readonly frames: readonly Frame[];
  /** True when frames or bodies were cut, because the hop is too large. */
  readonly isCut?: boolean;
  readonly error?: string;
  /** The task it was about, where the answer or the request names one. */
  readonly taskId?: string;
  readonly timing: {
    readonly startedAt: number;
    readonly firstByteAt?: number;
    readonly firstEventAt?: number;
    readonly endedAt?: number;
  };
}

/** What lists of hops show. */
export type HopSummary = Omit<
  Hop,
  "requestHeaders" | "requestBody" | "responseHeaders" | "responseBody" | "frames"
> & { readonly frameCount: number; readonly bytes: number };
