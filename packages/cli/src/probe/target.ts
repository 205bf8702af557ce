import type { AgentCard } from "@parley/a2a";
import type { ConnectOptions } from "@parley/a2a/client";
import type { Fetch } from "./tap.js";

/** An agent that is looked at from outside. */
export interface Target {
  readonly card: AgentCard;
  /** The JSON that the card was read from. */
  readonly document: unknown;
  /** Absent for a card from a file. */
  readonly cardUrl?: string;
  /** Credentials, headers and the fetch to use. */
  readonly connect: ConnectOptions;
  /** How long a call may take. */
  readonly timeoutMs: number;
}

/** The fetch with which an agent is called. */
export function fetchOf({ connect }: Pick<Target, "connect">): Fetch {
  return connect.fetch ?? ((url, init) => globalThis.fetch(url, init));
}
