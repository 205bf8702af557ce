/**
 * A notification that is due. `attempts` counts those that were made before this one: every claim is
 * one, so that a delivery which takes its node down is not tried for ever.
 */
export interface Delivery {
  readonly taskId: string;
  readonly configId: string;
  readonly sequence: number;
  readonly attempts: number;
}

export type DeliveryKey = Pick<Delivery, "taskId" | "configId" | "sequence">;

/**
 * Notifications to be sent, written together with the events they tell of. Of each task and
 * configuration only the one with the lowest sequence is ever due, buried ones aside, so that they
 * arrive in order: one that is claimed or postponed holds up those behind it. Naming a delivery that is
 * not there has no effect.
 */
export interface OutboxStore {
  /**
   * Takes deliveries that are due, at most `limit`, for this node alone until a moment; from then on they
   * are due again.
   */
  claimDeliveries(claim: {
    readonly node: string;
    readonly now: number;
    readonly until: number;
    readonly limit: number;
  }): Promise<readonly Delivery[]>;
  /** It arrived, and is gone, even if it was buried meanwhile. */
  completeDelivery(key: DeliveryKey): Promise<void>;
  /** It failed and is due again at `retryAt`. A buried one stays buried. */
  postponeDelivery(key: DeliveryKey, retryAt: number): Promise<void>;
  /** It is given up, for a reason, and does not hold up what follows. */
  buryDelivery(key: DeliveryKey, reason: string): Promise<void>;
  listBuried(limit: number): Promise<readonly (DeliveryKey & { readonly reason: string })[]>;
  /** Makes a buried delivery due at once, as if it had never been tried. */
  reviveDelivery(key: DeliveryKey): Promise<void>;
  /** When the next delivery is due, claimed ones included; 0 when that is at once. */
  nextDeliveryAt(): Promise<number | undefined>;
}
