import { isInterrupted, isTerminal } from "../../src/protocol/internal.js";
import { textOf } from "../../src/server/internal.js";
import type { LogEntry, LogEvent } from "../../src/store/index.js";

/** What a task's log tells about its messages. */
export interface LogFacts {
  readonly messages: readonly string[];
  /** Those that a run was begun with, took, or was answered with. */
  readonly dealtWith: readonly string[];
}

/**
 * Whatever has happened to a task, its log holds to this: it ends once and nothing follows; no run does
 * anything recorded twice; what a run says has no hole; every message is dealt with at most once.
 */
export function checkLog(entries: readonly LogEntry[]): LogFacts {
  const problems: string[] = [];
  const messages: string[] = [];
  const dealtWith: string[] = [];
  const records = new Set<string>();
  let run = 0;
  let said = 0;
  let isAsking = false;
  let hasEnded = false;
  for (const { sequence, event } of entries) {
    const note = (problem: string): void => void problems.push(`${sequence}: ${problem}`);
    if (hasEnded) note(`${event.kind} after the end`);
    const recorded = recordOf(event);
    if (recorded !== undefined) {
      const key = `${run}: ${recorded}`;
      if (records.has(key)) note(`run ${run} has recorded ${recorded} before`);
      records.add(key);
    }
    switch (event.kind) {
      case "run-started":
        if (event.run !== run + 1) note(`run ${event.run} after run ${run}`);
        run = event.run;
        said = 0;
        dealtWith.push(event.messageId);
        break;
      case "message-added":
        messages.push(event.message.messageId);
        if (isAsking) dealtWith.push(event.message.messageId);
        isAsking = false;
        break;
      case "message-taken":
        dealtWith.push(event.messageId);
        break;
      case "question-asked":
        if (isAsking) note("a question while another is open");
        isAsking = true;
        break;
      case "artifact-updated":
        // The end of the answer is told by a chunk without content.
        if (event.artifact.parts.every(({ text }) => text === "")) break;
        said += 1;
        if (textOf({ ...event.artifact, messageId: "", role: "ROLE_AGENT" }) !== `${said} `) {
          note(`expected chunk ${said} of run ${run}`);
        }
        break;
      case "status-changed":
        hasEnded = isTerminal(event.status.state);
        if (isAsking && !isInterrupted(event.status.state) && !hasEnded) note("not waiting");
        break;
      case "task-created":
        if (sequence !== 1) note("created late");
        break;
      case "question-closed":
        isAsking = false;
        break;
      case "run-resumed":
        if (event.run !== run) note(`run ${event.run} goes on within run ${run}`);
        break;
      case "step-recorded":
      case "stream-recorded":
      case "cancel-requested":
        break;
    }
  }
  if (new Set(dealtWith).size !== dealtWith.length) problems.push("a message was dealt with twice");
  if (problems.length > 0) {
    const log = entries.map(({ sequence, event }) => `${sequence} ${JSON.stringify(event)}`);
    throw new Error([...problems, ...log].join("\n"));
  }
  return { messages, dealtWith };
}

function recordOf(event: LogEvent): string | undefined {
  if (!("nth" in event)) return undefined;
  const name = "name" in event ? event.name : "";
  return `${event.kind} ${name} ${event.nth}`;
}
