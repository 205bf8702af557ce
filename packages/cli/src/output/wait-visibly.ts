import type { TextSink } from "../command.js";
import { createProgress } from "./progress.js";

/** What is known of the task that is waited for. */
interface Awaited {
  readonly task?: { readonly id: string; readonly state: string };
}

const everyMs = 500;

/** Waits for an answer. On a terminal, a line on stderr says for how long, and where the task stands. */
export async function waitVisibly<T>(
  stderr: TextSink,
  seen: Awaited,
  answer: Promise<T>,
): Promise<T> {
  if (stderr.isTTY !== true) return answer;
  using progress = createProgress(stderr);
  const startedAt = Date.now();
  const show = (): void => {
    const seconds = Math.round((Date.now() - startedAt) / 1000);
    const { task } = seen;
    progress.show(
      task === undefined ? `Waiting, ${seconds} s` : `${task.state} ${task.id}, ${seconds} s`,
    );
  };
  show();
  const timer = setInterval(show, everyMs);
  try {
    return await answer;
  } finally {
    clearInterval(timer);
  }
}
