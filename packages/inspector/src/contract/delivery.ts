import type { CheckLine } from "./connection.js";
import type { HeaderList } from "./hop.js";

/** How the receiver answers, on purpose. */
export type ReceiverBehaviour = 200 | 410 | 429 | 500 | "hang";

/** The receiver of push notifications, at a port of its own. */
export interface Receiver {
  /** What agents are to call; its path cannot be guessed. */
  readonly url: string;
  readonly behaviour: ReceiverBehaviour;
  /** Whether a token is set, which deliveries have to carry. */
  readonly hasToken: boolean;
  /** False beside a server, which calls nobody else. */
  readonly canForward: boolean;
  /** Where deliveries are forwarded to. */
  readonly forwardTo?: string;
  /** What stands in the way, such as agents that refuse loopback webhooks, and what to do about it. */
  readonly notes: readonly string[];
}

/** A push notification that has arrived. */
export interface Delivery {
  /** Counted from 1. */
  readonly id: number;
  readonly at: number;
  readonly headers: HeaderList;
  readonly body: string;
  readonly taskId?: string;
  readonly sequence?: number;
  readonly answered: number | "hung";
  readonly isVerified: boolean;
  /** Key, age, audience, body hash, replay, token. */
  readonly checks: readonly CheckLine[];
  /**
   * `repeat` when it has come before, `gap` when a later one came first: until it came there was a gap. Numbers are places in the
   * task's log and rise in steps, so that a number that is left out is no gap by itself.
   */
  readonly order?: "next" | "gap" | "repeat";
  readonly forwarded?: { readonly status?: number; readonly error?: string };
}
