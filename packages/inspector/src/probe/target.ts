import type { AgentCard, AgentInterface } from "@parley/a2a";
import type { ConnectOptions } from "@parley/a2a/client";
import type { Fetch } from "@parley/a2a/client";

/** An agent that is looked at from outside. */
export interface Target {
  readonly card: AgentCard;
  /** Which interfaces of the card are called. */
  readonly interfaces: readonly AgentInterface[];
  /** The JSON that the card was read from. */
  readonly document: unknown;
  /** Absent for a card from a file. */
  readonly cardUrl?: string;
  /** Credentials, headers, and the fetch and the transports to use. */
  readonly connect: ConnectOptions;
  /** How long a call may take. */
  readonly timeoutMs: number;
  /** Aborted when the time for everything is over. */
  readonly signal?: AbortSignal;
}

/** The fetch with which an agent is called. */
export function fetchOf({ connect }: Pick<Target, "connect">): Fetch {
  return connect.fetch ?? ((url, init) => globalThis.fetch(url, init));
}
