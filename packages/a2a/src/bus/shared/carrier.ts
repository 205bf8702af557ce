import type { BusTopic } from "../bus.js";
import type { Batch } from "./outbox.js";

/** Carries batches between processes. It connects, and connects again, by itself. */
export interface Carrier {
  /** Whether what others send arrives here, as far as is known. */
  readonly isConnected: boolean;
  /** Whether a batch can be sent, and somebody may hear it. While not, batches are kept. */
  readonly isSending: boolean;
  /** Sends a batch, whose tasks are keys, to the other processes. Rejects when it may not have been sent: it is sent again later. */
  send(batch: Batch): Promise<void>;
  /**
   * Begins to hear the wake-ups of a key, if it does not hear them yet. Resolves when they arrive, or at once while the
   * carrier is cut off; never rejects. Absent: a carrier that hears all wake-ups.
   */
  follow?(key: string): Promise<void>;
  /** Hears them no more, if it did. */
  unfollow?(key: string): void;
  close(): Promise<void>;
}

/** What a carrier tells the bus. */
export interface Ears {
  wake(key: string, sequence: number): void;
  hear(topic: BusTopic, message: string): void;
  /** Wake-ups may have been lost, though the carrier is connected. */
  miss(): void;
  /** `isConnected` or `isSending` is another than before. */
  change(): void;
}
