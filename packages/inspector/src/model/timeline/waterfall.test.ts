import { describe, expect, it } from "vitest";
import type { LogEvent } from "@parley/a2a/store";
import { LogIndex } from "../log/log-index.js";
import { spanOfHop, spanOfPush, spansOfLog } from "./waterfall.js";

const story: readonly (readonly [at: number, event: LogEvent])[] = [
  [
    0,
    {
      kind: "task-created",
      taskId: "t",
      contextId: "c",
      status: { state: "TASK_STATE_SUBMITTED" },
    },
  ],
  [100, { kind: "run-started", run: 1, messageId: "m", call: {} }],
  [110, { kind: "status-changed", status: { state: "TASK_STATE_WORKING" } }],
  [400, { kind: "step-recorded", name: "search" }],
  [410, { kind: "status-changed", status: { state: "TASK_STATE_INPUT_REQUIRED" } }],
  [
    9000,
    {
      kind: "message-added",
      message: { messageId: "n", role: "ROLE_USER", parts: [{ text: "y" }] },
    },
  ],
  [9100, chunk()],
  [9200, chunk()],
  [9300, { kind: "status-changed", status: { state: "TASK_STATE_COMPLETED" } }],
];

describe("the waterfall of a task", () => {
  it("has the queue, the run, the step since the entry before it, the wait and the stream", () => {
    const spans = spansOfLog(indexOf(story)).map(({ kind, name, from, to }) => [
      kind,
      name,
      from,
      to,
    ]);
    expect(spans).toStrictEqual([
      ["queued", "Queued", 0, 100],
      ["run", "Run 1", 100, 9300],
      ["step", "search", 110, 400],
      ["waiting", "Input required", 410, 9000],
      ["stream", "answer", 9100, 9200],
    ]);
  });

  it("leaves open what still lasts", () => {
    const spans = spansOfLog(indexOf(story.slice(0, 5)));
    expect(spans.filter(({ to }) => to === undefined).map(({ name }) => name)).toStrictEqual([
      "Run 1",
      "Input required",
    ]);
  });

  it("stops at its limit", () => {
    const steps = Array.from(
      { length: 50 },
      (_, at) => [at, { kind: "step-recorded", name: "s" }] as const,
    );
    expect(spansOfLog(indexOf(steps), 20)).toHaveLength(20);
  });

  it("marks the first byte and the first event of a hop", () => {
    const span = spanOfHop({
      id: 7,
      direction: "sent",
      method: "POST",
      url: "http://localhost/a2a",
      status: 200,
      frameCount: 2,
      bytes: 10,
      timing: { startedAt: 5, firstByteAt: 6, firstEventAt: 7, endedAt: 9 },
    });
    expect(span).toMatchObject({
      name: "POST /a2a",
      from: 5,
      to: 9,
      detail: "hop 7, 200, 2 frames",
    });
    expect(span.marks).toStrictEqual([
      { name: "first byte", at: 6 },
      { name: "first event", at: 7 },
    ]);
  });

  it("are of attempts to send push notifications too, at the entries that they tell of", () => {
    const index = indexOf([
      [
        10,
        {
          kind: "task-created",
          taskId: "t",
          contextId: "c",
          status: { state: "TASK_STATE_SUBMITTED" },
        },
      ],
      [20, { kind: "status-changed", status: { state: "TASK_STATE_WORKING" } }],
    ]);
    const push = {
      id: 1,
      taskId: "t",
      configId: "c",
      sequence: 2,
      attempt: 1,
      host: "receiver.example",
      startedAt: 21,
    } as const;
    expect(spanOfPush(push, index)).toStrictEqual({
      kind: "push",
      name: "Push of entry 2",
      from: 21,
      depth: 0,
      position: 1,
      detail: "attempt 1 to receiver.example: under way",
    });
    const failed = { ...push, endedAt: 25, outcome: "failed", reason: "it answered 503" } as const;
    expect(spanOfPush(failed, index)).toMatchObject({
      to: 25,
      isFailed: true,
      detail: "attempt 1 to receiver.example: it answered 503",
    });
  });
});

function chunk(): LogEvent {
  return {
    kind: "artifact-updated",
    append: true,
    artifact: { artifactId: "answer", parts: [{ text: "x" }] },
  };
}

function indexOf(list: readonly (readonly [at: number, event: LogEvent])[]): LogIndex {
  return new LogIndex(list.map(([at, event], position) => ({ sequence: position + 1, at, event })));
}
