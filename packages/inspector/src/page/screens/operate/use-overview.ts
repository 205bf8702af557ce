import { useEffect, useState } from "preact/hooks";
import type { DeadLetters, Overview, Problem } from "../../../contract/index.js";
import { api, onFeed, problemOf } from "../../api/index.js";
import { navigationCounts } from "../../state/navigation-counts.js";

/** What an operator looks at, read again when something has changed. */
export interface OperatorView {
  readonly overview: Overview | undefined;
  readonly dead: DeadLetters | undefined;
  readonly problem: Problem | undefined;
  readonly reload: () => void;
  /** Does something, and reads everything again. What goes wrong is shown. */
  readonly act: (work: Promise<unknown>) => void;
  readonly showMoreDead: () => void;
}

/** A store is counted by looking at its rows: not more often than this. */
const pause = 2000;
/** Leases end without telling anybody. */
const slowPause = 10_000;

export function useOverview(): OperatorView {
  const [overview, setOverview] = useState<Overview>();
  const [dead, setDead] = useState<DeadLetters>();
  const [problem, setProblem] = useState<Problem>();
  const [turn, setTurn] = useState(0);
  const reload = (): void => setTurn((known) => known + 1);
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    Promise.all([
      api.get<Overview>("overview", { signal }),
      api.get<DeadLetters>("dead?limit=100", { signal }),
    ]).then(
      ([read, letters]) => {
        setOverview(read);
        setDead(letters);
        setProblem(undefined);
        const value = read.stuck.length + letters.deliveries.length;
        const { operate: _, ...others } = navigationCounts.peek();
        const count = { operate: { value, tone: "failed" as const } };
        navigationCounts.value = value === 0 ? others : { ...others, ...count };
      },
      (error: unknown) => signal.aborted || setProblem(problemOf(error)),
    );
    let later: ReturnType<typeof setTimeout> | undefined;
    const off = onFeed((items) => {
      if (items.some(({ kind }) => kind === "task" || kind === "gap"))
        later ??= setTimeout(reload, pause);
    });
    const slow = setTimeout(reload, slowPause);
    return () => {
      stop.abort();
      off();
      clearTimeout(later);
      clearTimeout(slow);
    };
  }, [turn]);
  return {
    overview,
    dead,
    problem,
    reload,
    act: (work) => {
      work.then(reload, (error: unknown) => {
        setProblem(problemOf(error));
      });
    },
    showMoreDead: () => {
      if (dead?.next === undefined) return;
      api.get<DeadLetters>(`dead?limit=100&after=${encodeURIComponent(dead.next)}`).then(
        (more) => setDead({ ...more, deliveries: [...dead.deliveries, ...more.deliveries] }),
        (error: unknown) => setProblem(problemOf(error)),
      );
    },
  };
}
