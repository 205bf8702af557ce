import type { Clock } from "../async/internal.js";
import type { Bus } from "../bus/internal.js";
import type { Telemetry } from "../protocol/internal.js";
import type { Store } from "../store/internal.js";
import type { Agent } from "./author/agent.js";
import type { Cryptography } from "./cryptography.js";
import type { PushSender } from "./push/push-sender.js";
import type { Report } from "./run-environment.js";
import type { RuntimeSettings } from "./settings.js";

/** What a runtime needs: an agent, a store, and whatever else differs from the defaults. */
export interface RuntimeOptions {
  readonly agent: Agent;
  readonly store: Store;
  readonly bus?: Bus;
  /** Where this node serves, for operators who list the nodes of a cluster. */
  readonly address?: string;
  readonly settings?: Partial<RuntimeSettings>;
  /** Reports errors that callers do not see. Default: one line on the console. */
  readonly report?: Report;
  /** Sends push notifications; without it none are sent. The runtime closes it. */
  readonly pushSender?: PushSender;
  /** Where traces, metrics and logs go. Absent: nowhere. */
  readonly telemetry?: Telemetry;
  readonly clock?: Clock;
  readonly newId?: () => string;
  /** Numbers from 0 up to 1, by which pauses are spread. Default: `Math.random`. */
  readonly random?: () => number;
  /** Hashes and seals. Default: the platform's. */
  readonly crypto?: Cryptography;
}
