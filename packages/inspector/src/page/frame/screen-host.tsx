import type { ComponentChild } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Problem } from "../../contract/index.js";
import { problemOf } from "../api/index.js";
import type { ScreenEntry } from "../screens/registry.js";
import { ErrorBox, Skeleton } from "../ui/index.js";

type Loaded = Awaited<ReturnType<ScreenEntry["load"]>>;

/** Loads a screen and shows it. */
export function ScreenHost({ entry }: { readonly entry: ScreenEntry }): ComponentChild {
  const [loaded, setLoaded] = useState<{ entry: ScreenEntry; screen: Loaded }>();
  const [problem, setProblem] = useState<Problem>();
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    setProblem(undefined);
    entry.load().then(
      (screen) => isCurrent && setLoaded({ entry, screen }),
      (error: unknown) => isCurrent && setProblem(problemOf(error)),
    );
    return () => {
      isCurrent = false;
    };
  }, [entry, attempt]);
  if (problem !== undefined) {
    return <ErrorBox problem={problem} onRetry={() => setAttempt(attempt + 1)} />;
  }
  if (loaded === undefined || loaded.entry !== entry) return <Skeleton />;
  const { Screen } = loaded.screen;
  return <Screen />;
}
