import type { Bus } from "../bus/internal.js";
import type { CallContext, Log, Telemetry } from "../protocol/internal.js";
import type { Store } from "../store/internal.js";
import type { Clock } from "../async/internal.js";
import type { Cryptography } from "./cryptography.js";
import type { LiveTasks } from "./log/live-tasks.js";
import type { Meters } from "./meters.js";
import type { Notifier } from "./log/notifier.js";
import type { RuntimeSettings } from "./settings.js";

/** Reports an error that callers do not see. `reference` is what the caller was told in its place, `call` what it belongs to. */
export type Report = (
  error: unknown,
  taskId: string,
  reference?: string,
  call?: Pick<CallContext, "requestId" | "trace">,
) => void;

/** What all parts of a runtime share. */
export interface RunEnvironment {
  readonly store: Store;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly liveTasks: LiveTasks;
  /** Absent when the runtime has no push sender. */
  readonly notifier: Notifier | undefined;
  readonly settings: RuntimeSettings;
  readonly newId: () => string;
  /** From 0 up to 1. */
  readonly random: () => number;
  readonly crypto: Cryptography;
  readonly report: Report;
  /** Empty where nobody looks. */
  readonly telemetry: Telemetry;
  /** The number of this node among those of the store, once it is known. */
  readonly slot: () => number | undefined;
  /** Tells operators what happens to this node. */
  readonly log: Log;
  /** Absent where nobody counts. */
  readonly meters: Meters | undefined;
  /** This node's id in leases. */
  readonly node: string;
  /**
   * Keys of tasks that are under this node's lease although no run works on them, because a write to them failed.
   * Recovery takes them up again.
   */
  readonly orphans: Set<string>;
}
