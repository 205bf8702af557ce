import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { useShortcuts } from "../../keyboard/shortcuts.js";
import { route, setQuery } from "../../router/route.js";
import type { OpenLog } from "./open-log.js";

/** Where in the life of a task the screen is, and its marks. Positions count entries from 0. */
export interface TaskMoment {
  readonly position: number;
  /** The newest entry is shown, whichever it is. */
  readonly isLive: boolean;
  readonly markA: number | undefined;
  readonly markB: number | undefined;
  readonly moveTo: (position: number) => void;
  readonly pause: () => void;
  readonly toggleLive: () => void;
}

/** Browsers refuse addresses that change too often, so the address follows the slider a moment later. */
const addressDelay = 250;

/**
 * The moment that the address names, `?seq=41&vs=12&to=30`: `seq` is where the slider is, and absent while it follows the
 * log; `vs` and `to` are the marks A and B.
 */
export function useMoment(log: OpenLog): TaskMoment {
  const { index } = log;
  void log.version.value;
  const [at, setAt] = useState(() => numberOf("seq"));
  const [a, setA] = useState(() => numberOf("vs"));
  const [b, setB] = useState(() => numberOf("to"));
  const last = Math.max(0, index.length - 1);
  const isLive = at === undefined;
  const position = at === undefined ? last : Math.max(0, index.positionOf(at));
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  useEffect(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(
      () => setQuery({ seq: at?.toString(), vs: a?.toString(), to: b?.toString() }),
      addressDelay,
    );
    return () => clearTimeout(timer.current);
  }, [at, a, b]);

  const now = useRef({ position, last });
  now.current = { position, last };
  const moves = useMemo(() => {
    const moveTo = (next: number): void => {
      const bounded = Math.max(0, Math.min(next, now.current.last));
      setAt(index.sequenceAt(bounded));
    };
    return {
      moveTo,
      pause: () => setAt(index.sequenceAt(now.current.position)),
      toggleLive: () =>
        setAt((known) =>
          known === undefined ? index.sequenceAt(now.current.position) : undefined,
        ),
    };
  }, [index]);

  const shortcuts = useMemo(
    () => [
      { keys: "ArrowRight", does: "Next entry", run: () => moves.moveTo(now.current.position + 1) },
      {
        keys: "ArrowLeft",
        does: "Entry before",
        run: () => moves.moveTo(now.current.position - 1),
      },
      { keys: "j", does: "Next entry", run: () => moves.moveTo(now.current.position + 1) },
      { keys: "k", does: "Entry before", run: () => moves.moveTo(now.current.position - 1) },
      {
        keys: "Shift+ArrowRight",
        does: "Next change of state",
        run: () => moves.moveTo(index.nextChange(now.current.position, 1)),
      },
      {
        keys: "Shift+ArrowLeft",
        does: "Change of state before",
        run: () => moves.moveTo(index.nextChange(now.current.position, -1)),
      },
      { keys: "Home", does: "First entry", run: () => moves.moveTo(0) },
      { keys: "End", does: "Last entry", run: () => moves.moveTo(now.current.last) },
      { keys: "Space", does: "Follow or pause", run: moves.toggleLive },
      { keys: "a", does: "Set mark A", run: () => setA(index.sequenceAt(now.current.position)) },
      { keys: "b", does: "Set mark B", run: () => setB(index.sequenceAt(now.current.position)) },
    ],
    [index, moves],
  );
  useShortcuts(shortcuts);

  return {
    position,
    isLive,
    markA: a === undefined ? undefined : Math.max(0, index.positionOf(a)),
    markB: b === undefined ? undefined : Math.max(0, index.positionOf(b)),
    ...moves,
  };
}

function numberOf(name: string): number | undefined {
  const text = route.peek().query.get(name);
  const number = text === null || text === "" ? Number.NaN : Number(text);
  return Number.isSafeInteger(number) ? number : undefined;
}
