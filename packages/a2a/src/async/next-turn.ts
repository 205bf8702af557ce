import { atTurnsEnd } from "./at-turns-end.js";

/**
 * Resolves once everyone else has had a turn: what has come in meanwhile is read before. The end of this turn
 * would be too early, since it comes before the event loop looks again.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => atTurnsEnd(() => atTurnsEnd(resolve)));
}
