import { describe, expect, it } from "vitest";
import { statusDetailsUri } from "../../protocol/internal.js";
import type { Artifact, Part, StreamResponse, Task, TaskState } from "../../protocol/internal.js";
import { Delivered } from "./delivered.js";

const ids = { taskId: "t", contextId: "c" };

function taskOf(state: TaskState, ...artifacts: readonly Artifact[]): Task {
  return { id: "t", contextId: "c", status: { state }, artifacts };
}

function artifactOf(...parts: readonly (string | Part)[]): Artifact {
  return {
    artifactId: "a",
    parts: parts.map((part) => (typeof part === "string" ? { text: part } : part)),
  };
}

function chunk(artifact: Artifact, append = true): StreamResponse {
  return { artifactUpdate: { ...ids, artifact, append } };
}

function deliveredOf(...responses: readonly StreamResponse[]): Delivered {
  const delivered = new Delivered();
  for (const response of responses) delivered.add(response);
  return delivered;
}

const working = { task: taskOf("TASK_STATE_WORKING") };

it("tells all of a task of which nothing was told", () => {
  const task = taskOf("TASK_STATE_WORKING", artifactOf("one"));
  expect(new Delivered().missing(task)).toEqual([{ task }]);
  expect(new Delivered("t").missing(task)).toEqual([{ task }]);
});

it("tells nothing of a task that was told", () => {
  const delivered = deliveredOf(working, chunk(artifactOf("one ", "two ")));
  expect(delivered.missing(taskOf("TASK_STATE_WORKING", artifactOf("one ", "two ")))).toEqual([]);
});

describe("the rest of an artifact", () => {
  const delivered = deliveredOf(
    working,
    chunk(artifactOf("one "), false),
    chunk(artifactOf("two ")),
  );

  it.each<[string, Artifact, StreamResponse[]]>([
    ["further parts", artifactOf("one ", "two ", "three "), [chunk(artifactOf("three "))]],
    [
      "further text, when the parts were joined",
      artifactOf("one two three "),
      [chunk(artifactOf("three "))],
    ],
    [
      "further text, when they were joined otherwise",
      artifactOf("one two", " three "),
      [chunk(artifactOf("three "))],
    ],
    [
      "a part of another kind",
      artifactOf("one ", "two ", { data: 3 }),
      [chunk(artifactOf({ data: 3 }))],
    ],
    ["nothing, when it is from before", artifactOf("one "), []],
    ["nothing, when the joined text is from before", artifactOf("one t"), []],
    [
      "all of it in place of what was told, when it says something else",
      artifactOf("uno "),
      [chunk(artifactOf("uno "), false)],
    ],
  ])("is %s", (_, artifact, expected) => {
    expect(delivered.missing(taskOf("TASK_STATE_WORKING", artifact))).toEqual(expected);
  });

  it("is all of an artifact that was never told", () => {
    const other = { artifactId: "b", parts: [{ text: "new" }] };
    const known = artifactOf("one ", "two ");
    expect(delivered.missing(taskOf("TASK_STATE_WORKING", known, other))).toEqual([
      { artifactUpdate: { ...ids, artifact: other } },
    ]);
  });

  it("is all of it when the task has ended with less than was told", () => {
    expect(delivered.missing(taskOf("TASK_STATE_COMPLETED", artifactOf("one ")))).toEqual([
      chunk(artifactOf("one "), false),
      { statusUpdate: { ...ids, status: { state: "TASK_STATE_COMPLETED" } } },
    ]);
  });
});

describe("the status", () => {
  it("is news when the state differs, or its message", () => {
    const message = { messageId: "m", role: "ROLE_AGENT", parts: [{ text: "hm" }] } as const;
    const status = { state: "TASK_STATE_WORKING", message } as const;
    const delivered = deliveredOf(working);
    expect(delivered.missing({ ...working.task, status })).toEqual([
      { statusUpdate: { ...ids, status } },
    ]);
    delivered.add({ statusUpdate: { ...ids, status } });
    expect(delivered.missing({ ...working.task, status })).toEqual([]);
    const later = { ...status, timestamp: "2026-01-01T00:00:00Z" };
    expect(delivered.missing({ ...working.task, status: later })).toEqual([]);
  });

  it("is news when its progress has moved, and tells it", () => {
    const told = (progress: number) => ({ [statusDetailsUri]: { progress } });
    const delivered = deliveredOf(working);
    const half = { ...working.task, metadata: { ...told(0.5), other: 1 } };
    const update = { statusUpdate: { ...ids, status: half.status, metadata: told(0.5) } };
    expect(delivered.receive({ task: half })).toEqual([update]);
    expect(delivered.missing(half)).toEqual([]);
    expect(delivered.missing(working.task)).toEqual([]);
    const asking = { ...taskOf("TASK_STATE_INPUT_REQUIRED"), metadata: told(0.5) };
    expect(delivered.missing(asking)).toMatchObject([{ statusUpdate: { metadata: told(0.5) } }]);
  });

  it("is no news when it is from before", () => {
    const delivered = deliveredOf({
      task: {
        ...working.task,
        status: { state: "TASK_STATE_WORKING", timestamp: "2026-01-01T00:00:01Z" },
      },
    });
    const status = { state: "TASK_STATE_SUBMITTED", timestamp: "2026-01-01T00:00:00Z" } as const;
    expect(delivered.missing({ ...working.task, status })).toEqual([]);
  });

  it("waits no longer once the caller has answered", () => {
    const delivered = deliveredOf({ task: taskOf("TASK_STATE_INPUT_REQUIRED") });
    delivered.resume();
    expect(delivered.state).toBe("TASK_STATE_SUBMITTED");
  });
});

it("knows the task by updates alone, and keeps nothing after its end", () => {
  const delivered = deliveredOf(
    { statusUpdate: { ...ids, status: { state: "TASK_STATE_WORKING" } } },
    chunk(artifactOf("one ")),
    { statusUpdate: { ...ids, status: { state: "TASK_STATE_UNSPECIFIED" } } },
    { statusUpdate: { ...ids, status: { state: "TASK_STATE_COMPLETED" } } },
    chunk(artifactOf("late ")),
  );
  expect(delivered.taskId).toBe("t");
  expect(delivered.task()).toEqual(taskOf("TASK_STATE_COMPLETED", artifactOf("one ")));
});

describe("a task that grows with its events", () => {
  const grow = (delivered: Delivered, count: number, append: boolean): void => {
    for (let index = 0; index < count; index += 1) {
      delivered.receive(chunk(artifactOf("x".repeat(100)), append));
    }
  };
  const tooLarge = {
    code: "INVALID_AGENT_RESPONSE",
    message: expect.stringContaining("1000 bytes"),
  };

  it("is refused beyond the limit", () => {
    const delivered = new Delivered("t", 1000);
    expect(() => grow(delivered, 20, true)).toThrow(expect.objectContaining(tooLarge));
  });

  it("is refused when it begins beyond the limit", () => {
    const task = taskOf("TASK_STATE_WORKING", artifactOf("x".repeat(1001)));
    expect(() => new Delivered("t", 1000).receive({ task })).toThrow("maxAnswerBytes");
  });

  it("is not refused for what has replaced something, however much came", () => {
    const delivered = new Delivered("t", 1000);
    grow(delivered, 1000, false);
    expect(delivered.task()?.artifacts).toEqual([artifactOf("x".repeat(100))]);
  });
});
