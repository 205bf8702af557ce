/** A notification that is due. `attempts` counts those that were made before this one. */
export interface Delivery {
  readonly taskId: string;
  readonly configId: string;
  readonly sequence: number;
  readonly attempts: number;
}

export type DeliveryKey = Pick<Delivery, "taskId" | "configId" | "sequence">;

/**
 * Notifications to be sent, written together with the events they tell of. Of each task and
 * configuration only the oldest is ever due, so that they arrive in order.
 */
export interface OutboxStore {
  /** Takes deliveries that are due, for this node alone until a moment. */
  claimDeliveries(claim: {
    readonly node: string;
    readonly now: number;
    readonly until: number;
    readonly limit: number;
  }): Promise<readonly Delivery[]>;
  /** It arrived. */
  completeDelivery(key: DeliveryKey): Promise<void>;
  /** It failed and is tried again later. */
  postponeDelivery(key: DeliveryKey, retryAt: number): Promise<void>;
  /** It is given up, with the reason, and does not hold up what follows. */
  buryDelivery(key: DeliveryKey, reason: string): Promise<void>;
  listBuried(limit: number): Promise<readonly (DeliveryKey & { readonly reason: string })[]>;
  /** Makes a buried delivery due again. */
  reviveDelivery(key: DeliveryKey): Promise<void>;
  /** When the next delivery is due, if any is waiting. */
  nextDeliveryAt(): Promise<number | undefined>;
}
