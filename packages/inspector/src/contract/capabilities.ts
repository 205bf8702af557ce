import type { ProtocolVersion } from "@parley/a2a";

/**
 * Where the inspector looks: `remote` calls any agent, `store` stands beside agents and their store, `file` shows a saved
 * recording.
 */
export type Mode = "remote" | "store" | "file";

/** An agent that the inspector stands beside. */
export interface InspectedAgent {
  readonly name: string;
  /** Where the agent is mounted; `/` for one alone. */
  readonly path: string;
  /** Absent where only the store is there, and no server. */
  readonly url?: string;
}

/** What this inspector can do. The page leaves out what it cannot. */
export interface Capabilities {
  readonly mode: Mode;
  /** The version of Parley. */
  readonly version: string;
  readonly agents: readonly InspectedAgent[];
  readonly versions: readonly ProtocolVersion[];
  /** Whether agents may be called: chat, skills, send again, compare. */
  readonly canCall: boolean;
  /** Whether agents at any URL may be called. False beside a server: it calls its own agents only. */
  readonly canConnect: boolean;
  /** Whether tasks of a store can be read: tasks, logs, the overview. */
  readonly canRead: boolean;
  /** Whether an operator may revive and discard notifications, and end leases. */
  readonly canOperate: boolean;
  /** Whether an operator may cancel tasks: only beside the server that runs them. */
  readonly canCancel: boolean;
  /** Whether attempts to send push notifications are seen: only beside the server that makes them. */
  readonly canSeePushes: boolean;
  /** Whether it receives push notifications. */
  readonly canReceive: boolean;
  /** The agent that a link has named, to be connected to at once. */
  readonly url?: string;
}
