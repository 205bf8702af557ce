/**
 * Every event of the log, and what it says when there is nothing more to say. Names are stable: alerts and searches rely
 * on them. `docs/observability.md` lists them, and a test compares the two.
 */
export const logEvents = {
  "server.started": "The server takes calls",
  "server.exposed":
    "The server listens on an address that other machines reach, without authentication",
  "server.stopped": "The server has stopped",
  "drain.phase": "The server stops, phase by phase",
  "drain.requested": "An operator has asked this node to hand over its tasks",
  "metrics.overflow": "There are too many series; further ones are counted together",
  "log.folded": "An event was repeated too often, and only counted",
  "call.failed": "A call failed; its caller learns a reference at most",
  "run.ended": "A handler has ended, or asks its caller",
  "run.failed": "The handler failed; its caller was told the reference",
  "run.warned": "Something about a run that its author or operator should know",
  "task.recovered": "Tasks that no node worked on go on here, or have failed",
  "task.lost": "The store has lost entries of a task that this node knew",
  "lease.lost":
    "The store has not renewed this node's lease in time; other nodes may take over its tasks",
  "lease.regained": "This node has a lease again",
  "lease.unrenewed": "The lease could not be renewed; the next beat tries again",
  "node.gone": "Another node of the agent has no lease any more",
  "clock.skewed": "This node's clock differs from the store's",
  "upkeep.failed": "Periodic work has failed; it is tried again",
  "store.notice": "The store reports a problem, or that it is solved",
  "bus.notice": "The bus reports a problem, or that it is solved",
  "push.failed": "Push notifications could not be looked for, or their outcome not be stored",
  "push.postponed": "A push notification did not arrive; it is sent again later",
  "push.buried": "A push notification was given up",
  "push.unguarded": "Push notifications may go into private networks",
  "audit.failed": "The audit log cannot be written; decisions are lost from here on",
} as const;

/** The name of an event of the log. */
export type LogEventName = keyof typeof logEvents;
