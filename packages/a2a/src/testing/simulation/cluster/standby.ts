import type { Append, ClaimedQueue, ClaimedTask, Store } from "../../../store/internal.js";
import type { Life } from "./life.js";

/** Something that the store has done for a node. */
export interface Deed {
  readonly life: Life;
  readonly method: string;
  readonly args: readonly unknown[];
  readonly result: unknown;
  /** The store's time. */
  readonly at: number;
}

/** What changes nothing. */
export const reads: ReadonlySet<string> = new Set<keyof Store & string>([
  "check",
  "countDeliveries",
  "findByMessageId",
  "isLive",
  "list",
  "listBuried",
  "listHeld",
  "listNodes",
  "listPushConfigs",
  "load",
  "loadIdempotentResult",
  "loadPushConfig",
  "loadRecord",
  "loadUsage",
  "nextDeliveryAt",
  "read",
]);

/** A standby that follows its store at a distance: all that the store has done, in order. */
export class Standby {
  #deeds: Deed[] = [];

  /** The store has done something. What changes nothing is not repeated. */
  follow(deed: Deed): void {
    if (!reads.has(deed.method)) this.#deeds.push(deed);
  }

  /** What happened after a moment never reached the standby. Returns what did, and what did not. */
  cut(moment: number): { readonly kept: readonly Deed[]; readonly lost: readonly Deed[] } {
    const lost = this.#deeds.filter(({ at }) => at > moment);
    this.#deeds = this.#deeds.filter(({ at }) => at <= moment);
    return { kept: this.#deeds, lost };
  }

  clear(): void {
    this.#deeds = [];
  }
}

/** The tasks of which a deed has changed something. */
export function tasksOf({ method, args, result }: Deed): readonly string[] {
  const [first] = args;
  if (method === "claimAbandoned" || method === "claimQueues") {
    return (result as readonly (ClaimedTask | ClaimedQueue)[]).map(({ taskId }) => taskId);
  }
  if (method === "deletePushConfig") return [String(first)];
  if (typeof first !== "object" || first === null || !("taskId" in first)) return [];
  return [(first as Append).taskId];
}
