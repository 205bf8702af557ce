import type { ComponentChild } from "preact";
import type { Problem } from "../../contract/index.js";
import { Button } from "./button.js";
import { Mark } from "./mark.js";

/** What went wrong: the code of A2A, the fields, what to do next. */
export function ErrorBox({
  problem,
  onRetry,
}: {
  readonly problem: Problem;
  readonly onRetry?: () => void;
}): ComponentChild {
  return (
    <div class="error-box" role="alert">
      <span class="error-box-code">
        <Mark tone="failed" />
        {problem.code}
      </span>
      <p>{problem.message}</p>
      {problem.details?.fieldViolations?.map(({ field, description }) => (
        <p key={field}>
          <code>{field}</code> {description}
        </p>
      ))}
      {problem.hint === undefined ? null : <p class="soft">{problem.hint}</p>}
      {onRetry === undefined ? null : <Button onClick={onRetry}>Try again</Button>}
    </div>
  );
}
