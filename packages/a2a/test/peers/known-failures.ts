import type { Operation } from "./operations.js";
import type { Direction, PeerId, PeerInterface } from "./peers.js";

/** Cases that fail for a reason that is known. The run fails when one of them passes: then it is removed from here. */
export interface KnownFailure {
  readonly peers: readonly PeerId[];
  readonly direction: Direction;
  /** All when absent. */
  readonly bindings?: readonly PeerInterface["binding"][];
  /** All when absent. */
  readonly versions?: readonly PeerInterface["version"][];
  readonly operations: readonly Operation[];
  readonly fault: "ours" | "theirs";
  readonly because: string;
}

export const knownFailures: readonly KnownFailure[] = [];
