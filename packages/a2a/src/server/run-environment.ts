import type { Bus } from "../bus/internal.js";
import type { Store } from "../store/internal.js";
import type { Clock } from "../async/internal.js";
import type { LiveTasks } from "./log/live-tasks.js";
import type { Notifier } from "./push/notifier.js";
import type { RuntimeSettings } from "./settings.js";

/** Hears of what went wrong. The reference is what the caller was told instead. */
export type Report = (error: unknown, taskId: string, reference?: string) => void;

/** What the parts of a runtime share. */
export interface RunEnvironment {
  readonly store: Store;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly lives: LiveTasks;
  /** Absent where nobody carries notifications. */
  readonly notifier: Notifier | undefined;
  readonly settings: RuntimeSettings;
  readonly newId: () => string;
  readonly report: Report;
  /** This node's id in leases. */
  readonly node: string;
  /**
   * Tasks that this node holds though nobody works on them any more: the store failed when they were to
   * be written to. Recovery takes them up again.
   */
  readonly orphans: Set<string>;
}
