import type { Resumption } from "../../contract/index.js";

/** How a stream went on: `resumed by sequence, 0 lost, 0 repeated`. Losses are counted once the task has ended. */
export function resumptionWords({ by, lost, repeated }: Resumption): string {
  if (lost === undefined) return `resumed by ${by}`;
  return `resumed by ${by}, ${lost} lost, ${repeated ?? 0} repeated`;
}
