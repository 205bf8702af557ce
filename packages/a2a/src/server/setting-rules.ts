import { ageMs, atLeast, count, flag, oneOf, text, timerMs } from "../options/internal.js";
import type { Rules } from "../options/internal.js";
import type { RuntimeSettings } from "./settings.js";

/**
 * What operators may set. A limit is a `count`, from 0 where nothing at all is a sensible limit. A time that a timer
 * waits for is a `timerMs`, and one that is compared with a date an `ageMs`.
 */
export const settingRules: Rules<RuntimeSettings> = {
  maxConcurrentRuns: count(1),
  maxConcurrentReplies: count(1),
  maxQueuedRuns: count(0),
  maxQueueMs: timerMs(0),
  maxConcurrentRunsPerPrincipal: count(1),
  maxQueuedRunsPerPrincipal: count(0),
  leaseMs: timerMs(1),
  cancelGraceMs: timerMs(0),
  decisionMs: timerMs(0),
  maxWaitMs: timerMs(0),
  stopGraceMs: timerMs(0),
  maxTaskBytes: count(1),
  maxPageBytes: count(1),
  maxReadBytes: count(1),
  maxEventBytes: count(1),
  idempotencyMs: ageMs(0),
  idempotentMessageIds: flag,
  hasAuthentication: flag,
  extendedCardForAnyone: flag,
  operatorScope: text(),
  maxSuspended: count(0),
  maxSuspendedBytes: count(0),
  suspendForMs: timerMs(0),
  takeUpMs: timerMs(0),
  maxTasksPerPrincipal: count(0),
  maxBytesPerPrincipal: count(0),
  retentionMs: ageMs(0),
  waitingRetentionMs: ageMs(0),
  pushEvents: oneOf("all", "status"),
  maxConcurrentPushes: atLeast(1),
  maxConcurrentPushesPerHost: atLeast(1),
  pushTimeoutMs: timerMs(1),
  minPushDelayMs: timerMs(0),
  maxPushDelayMs: timerMs(0),
  maxPushAttempts: count(1),
  maxPushAgeMs: ageMs(0),
};
