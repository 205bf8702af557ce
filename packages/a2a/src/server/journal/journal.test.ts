import { describe, expect, it } from "vitest";
import type { Message } from "../../protocol/internal.js";
import type { LogEvent } from "../../store/internal.js";
import { Journal } from "./journal.js";

function message(messageId: string): Message {
  return { messageId, role: "ROLE_USER", parts: [{ text: messageId }] };
}

const start: readonly LogEvent[] = [
  {
    kind: "task-created",
    taskId: "t",
    contextId: "c",
    status: { state: "TASK_STATE_SUBMITTED", timestamp: "2026-01-01T00:00:00.000Z" },
  },
  { kind: "message-added", message: message("first") },
  { kind: "run-started", run: 1, messageId: "first", call: {} },
];

function journalOf(...events: readonly LogEvent[]): Journal {
  const journal = new Journal();
  for (const [index, event] of [...start, ...events].entries()) {
    journal.add({ sequence: index + 1, event });
  }
  return journal;
}

const asked: LogEvent = {
  kind: "status-changed",
  status: {
    state: "TASK_STATE_INPUT_REQUIRED",
    message: { ...message("question"), role: "ROLE_AGENT" },
    timestamp: "2026-01-01T00:00:00.000Z",
  },
};

describe("a log of an earlier version", () => {
  it("has its records found by name, in the order of their positions", () => {
    const journal = journalOf(
      { kind: "step-recorded", name: "search", position: 3, result: "later" },
      { kind: "step-recorded", name: "search", position: 1, result: "earlier" },
      { kind: "step-recorded", name: "read", position: 2, result: "other" },
    );
    expect(journal.step("search", 1)?.result).toBe("earlier");
    expect(journal.step("search", 2)?.result).toBe("later");
    expect(journal.step("search", 3)).toBeUndefined();
    expect(journal.step("read", 1)?.result).toBe("other");
  });

  it("has its questions answered and its messages taken as before", () => {
    const journal = journalOf(
      { kind: "question-asked", position: 1 },
      asked,
      { kind: "message-added", message: message("answer") },
      { kind: "message-added", message: message("further") },
      { kind: "message-taken", position: 2, messageId: "further" },
    );
    expect(journal.question("", 1)?.answer?.messageId).toBe("answer");
    expect(journal.question("", 1)?.text).toBe("question");
    expect(journal.taken(1)?.message.messageId).toBe("further");
  });

  it("goes on with numbers after positions", () => {
    const journal = journalOf(
      { kind: "step-recorded", name: "search", position: 1, result: "old" },
      { kind: "step-recorded", name: "search", nth: 2, result: "new" },
    );
    expect(journal.step("search", 1)?.result).toBe("old");
    expect(journal.step("search", 2)?.result).toBe("new");
  });
});

describe("begins in vain", () => {
  const again = (attempt: number): LogEvent => ({
    kind: "run-resumed",
    run: 1,
    attempt,
    revision: "1",
  });

  it("count the first and each further one since the last record", () => {
    expect(journalOf().vainAttempts).toBe(1);
    expect(journalOf(again(2), again(3)).vainAttempts).toBe(3);
    const step: LogEvent = { kind: "step-recorded", name: "a", nth: 1, result: 1 };
    expect(journalOf(again(2), step).vainAttempts).toBe(0);
    expect(journalOf(again(2), step, again(3)).vainAttempts).toBe(1);
  });

  it("do not count a handler that goes on", () => {
    expect(journalOf(again(1)).vainAttempts).toBe(1);
  });

  it("are not undone by outputs", () => {
    const output: LogEvent = {
      kind: "artifact-updated",
      artifact: { artifactId: "answer", parts: [{ text: "a" }] },
    };
    expect(journalOf(again(2), output).vainAttempts).toBe(2);
  });
});
