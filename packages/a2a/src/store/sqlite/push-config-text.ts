import type { PushConfigRecord } from "../push-store.js";

/** A push configuration as it is sent between threads. */
export interface PushConfigText extends Omit<PushConfigRecord, "config"> {
  readonly config: string;
}

export function toConfigText(
  record: Omit<PushConfigRecord, "taskId">,
): Omit<PushConfigText, "taskId"> {
  return { ...record, config: JSON.stringify(record.config) };
}
