import type { ComponentChild } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { shortId } from "../../../model/index.js";
import { href } from "../../router/route.js";
import { ErrorBox, Skeleton } from "../../ui/index.js";
import { openLog } from "../task/open-log.js";
import type { OpenLog } from "../task/open-log.js";
import { Results } from "./results.js";
import { answerOf } from "./side.js";
import type { SideAnswer } from "./side.js";

/** Two tasks that were already run, as their logs tell them. */
export function ComparedTasks(props: {
  readonly left: string;
  readonly right: string;
}): ComponentChild {
  const left = useLog(props.left);
  const right = useLog(props.right);
  const leftAnswer = useMemo(() => told(left), [left, left.version.value]);
  const rightAnswer = useMemo(() => told(right), [right, right.version.value]);
  for (const log of [left, right]) {
    const problem = log.problem.value;
    if (problem !== undefined) return <ErrorBox problem={problem} onRetry={log.retry} />;
  }
  if (leftAnswer === undefined || rightAnswer === undefined)
    return <Skeleton label="Loading both tasks" />;
  return (
    <Results
      answers={[leftAnswer, rightAnswer]}
      heads={[<TaskLink key={0} taskId={props.left} />, <TaskLink key={1} taskId={props.right} />]}
    />
  );
}

function useLog(taskId: string): OpenLog {
  const log = useMemo(() => openLog(taskId), [taskId]);
  useEffect(() => () => log.close(), [log]);
  return log;
}

function told({ index }: OpenLog): SideAnswer | undefined {
  if (index.length === 0) return undefined;
  const after = (position: number): number => index.timeAt(position) - index.timeAt(0);
  return answerOf(index, {
    firstEvent: index.length > 1 ? after(1) : undefined,
    end: after(index.length - 1),
  });
}

function TaskLink({ taskId }: { readonly taskId: string }): ComponentChild {
  return <a href={href(["tasks", taskId])}>Task {shortId(taskId)}</a>;
}
