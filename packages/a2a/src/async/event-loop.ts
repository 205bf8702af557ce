import type { Clock } from "./clock.js";

/** Node has `setImmediate`; browsers do not. */
const { setImmediate = (action: () => void) => setTimeout(action, 0) } = globalThis as {
  readonly setImmediate?: (action: () => void) => unknown;
};

/**
 * Runs an action at the end of this turn of the event loop: after all microtasks, and after every callback
 * that this turn still has to run.
 */
export function atTurnsEnd(action: () => void, clock?: Clock): void {
  if (clock?.atTurnsEnd === undefined) setImmediate(action);
  else clock.atTurnsEnd(action);
}

/** Node and all that follow it have `nextTick`. Called in a microtask, it waits for all of them. */
const { nextTick = queueMicrotask } =
  (globalThis as { readonly process?: { nextTick?: (action: () => void) => void } }).process ?? {};

/** Runs an action when everybody who goes on after a promise now has to wait again. This turn is not over then. */
export function afterMicrotasks(action: () => void): void {
  nextTick(action);
}

/**
 * Resolves in the next turn of the event loop, after it has read what has arrived meanwhile. The end of this
 * turn would be too early: it comes before the event loop looks at sockets and timers again.
 */
export function nextTurn(clock?: Clock): Promise<void> {
  return new Promise((resolve) => atTurnsEnd(() => atTurnsEnd(resolve, clock), clock));
}

const inLine: (() => void)[] = [];

/**
 * Resolves in a turn of the event loop that is nobody else's who asks for one. For work that takes long: several such
 * pieces of work in one turn would keep everybody else waiting for all of them.
 */
export function ownTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (inLine.push(resolve) === 1) void serveLine();
  });
}

async function serveLine(): Promise<void> {
  for (;;) {
    await nextTurn();
    inLine[0]?.();
    inLine.shift();
    if (inLine.length === 0) return;
  }
}

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
