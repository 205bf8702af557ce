import { knownFailures } from "./known-failures.js";
import type { KnownFailure } from "./known-failures.js";
import { operations } from "./operations.js";
import type { Operation } from "./operations.js";
import { directions, peers } from "./peers.js";
import type { Direction, Peer, PeerInterface } from "./peers.js";

/** One operation with one peer, over one of its interfaces, in one direction. */
export interface Case {
  readonly peer: Peer;
  readonly direction: Direction;
  readonly at: PeerInterface;
  readonly operation: Operation;
}

/** What comes of a case, or is expected to. */
export type Outcome = "pass" | "fail" | "not offered";

/** All cases of these peers, in the order of the page. */
export function casesOf(these: readonly Peer[] = peers): readonly Case[] {
  return directions.flatMap((direction) =>
    these.flatMap((peer) =>
      peer.interfaces.flatMap((at) =>
        operations.map((operation) => ({ peer, direction, at, operation })),
      ),
    ),
  );
}

export function isOffered({ at, direction, operation }: Case): boolean {
  const lacks = direction === "their client" ? at.clientLacks : at.serverLacks;
  return lacks?.includes(operation) !== true;
}

/** Why a case is known to fail, if it is. */
export function knownFailureOf(
  { peer, direction, at, operation }: Case,
  known: readonly KnownFailure[] = knownFailures,
): KnownFailure | undefined {
  return known.find(
    (failure) =>
      failure.peers.some((id) => id === peer.id) &&
      failure.direction === direction &&
      (failure.bindings?.includes(at.binding) ?? true) &&
      (failure.versions?.includes(at.version) ?? true) &&
      failure.operations.includes(operation),
  );
}

export function expectedOf(one: Case, known: readonly KnownFailure[] = knownFailures): Outcome {
  if (!isOffered(one)) return "not offered";
  return knownFailureOf(one, known) === undefined ? "pass" : "fail";
}

export const nameOf = ({ peer, direction, at, operation }: Case): string =>
  `${peer.id}, ${direction}, ${at.binding} ${at.version}: ${operation}`;
