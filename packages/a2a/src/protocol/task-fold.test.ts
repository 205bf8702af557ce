import { describe, expect, it } from "vitest";
import { verifies } from "../../test/spec/verifies.js";
import type { Artifact } from "./artifact.js";
import type { Message } from "./message.js";
import type { Part } from "./part.js";
import { statusDetailsUri } from "./extensions/status-details.js";
import type { ArtifactUpdated, StatusChanged, TaskCreated, TaskEvent } from "./task-event.js";
import { foldTask, TaskFold } from "./task-fold.js";
import type { TaskState } from "./task-state.js";

const created: TaskCreated = {
  kind: "task-created",
  taskId: "t1",
  contextId: "c1",
  status: { state: "TASK_STATE_SUBMITTED" },
};

function message(messageId: string): Message {
  return { messageId, role: "ROLE_AGENT", parts: [{ text: messageId }] };
}

function added(messageId: string): TaskEvent {
  return { kind: "message-added", message: message(messageId) };
}

function changed(state: TaskState, members: Partial<StatusChanged> & { says?: string } = {}) {
  const { says, ...others } = members;
  return {
    kind: "status-changed",
    status: { state, ...(says !== undefined && { message: message(says) }) },
    ...others,
  } satisfies TaskEvent;
}

function chunk(
  artifact: Partial<Artifact> & { readonly texts: readonly string[] },
  flags: Pick<ArtifactUpdated, "append" | "lastChunk" | "metadata"> = {},
): ArtifactUpdated {
  const { texts, ...members } = artifact;
  const parts: Part[] = texts.map((text) => ({ text }));
  return { kind: "artifact-updated", artifact: { artifactId: "a1", ...members, parts }, ...flags };
}

const append = { append: true };

describe("a task's log", () => {
  it("begins with the creation, which gives the task its ids, status and metadata", () => {
    expect(foldTask([{ ...created, metadata: { a: 1 } }])).toStrictEqual({
      id: "t1",
      contextId: "c1",
      status: { state: "TASK_STATE_SUBMITTED" },
      metadata: { a: 1 },
    });
  });

  it.each<[string, TaskEvent[]]>([
    ["is empty", []],
    ["begins with a message", [added("m1")]],
    ["begins with a status", [changed("TASK_STATE_WORKING")]],
    ["has two creations", [created, created]],
  ])("is refused when it %s", (_, events) => {
    expect(() => foldTask(events)).toThrow(
      expect.objectContaining({ name: "A2AError", code: "INTERNAL" }),
    );
  });

  it("can be any iterable and is read once", () => {
    function* log(): Iterable<TaskEvent> {
      yield created;
      yield changed("TASK_STATE_WORKING");
    }
    expect(foldTask(log()).status.state).toBe("TASK_STATE_WORKING");
  });
});

describe("the details of a status", () => {
  const working = changed("TASK_STATE_WORKING");
  const half: TaskEvent = { ...working, metadata: { [statusDetailsUri]: { progress: 0.5 }, a: 1 } };

  it("are those of the task while its state lasts", () => {
    const more = changed("TASK_STATE_WORKING", { says: "m1" });
    expect(foldTask([created, half, more]).metadata).toEqual({
      [statusDetailsUri]: { progress: 0.5 },
      a: 1,
    });
  });

  it("end with it, and other metadata stays", () => {
    const done = changed("TASK_STATE_COMPLETED");
    expect(foldTask([created, half, done]).metadata).toEqual({ a: 1 });
    const alone: TaskEvent = { ...working, metadata: { [statusDetailsUri]: { progress: 0.5 } } };
    expect(foldTask([created, alone, done])).not.toHaveProperty("metadata");
  });
});

describe("the history", () => {
  const historyOf = (events: TaskEvent[]): string[] | undefined =>
    foldTask([created, ...events]).history?.map(({ messageId }) => messageId);

  it("has the messages in the order in which they came", () => {
    expect(historyOf([added("m1"), added("m2"), added("m3")])).toEqual(["m1", "m2", "m3"]);
  });

  it("takes in a status message when something follows it, in its place and once", () => {
    const events = [
      added("m1"),
      changed("TASK_STATE_WORKING", { says: "s1" }),
      changed("TASK_STATE_INPUT_REQUIRED", { says: "s2" }),
      added("m2"),
      changed("TASK_STATE_COMPLETED", { says: "s3" }),
    ];
    expect(historyOf(events)).toEqual(["m1", "s1", "s2", "m2"]);
    expect(foldTask([created, ...events]).status.message?.messageId).toBe("s3");
  });

  it("leaves the message of the present status to the status", () => {
    const task = foldTask([created, changed("TASK_STATE_WORKING", { says: "s1" })]);
    expect(task.history).toBeUndefined();
    expect(task.status.message).toEqual(message("s1"));
  });

  it("takes in a status message that is followed by a message, and the status loses it", () => {
    const task = foldTask([
      created,
      changed("TASK_STATE_INPUT_REQUIRED", { says: "s1" }),
      added("m1"),
    ]);
    expect(task.history?.map(({ messageId }) => messageId)).toEqual(["s1", "m1"]);
    expect(task.status).toStrictEqual({ state: "TASK_STATE_INPUT_REQUIRED" });
  });

  it("is not touched by artifacts", () => {
    const events = [changed("TASK_STATE_WORKING", { says: "s1" }), chunk({ texts: ["x"] })];
    expect(historyOf(events)).toBeUndefined();
  });

  it("takes in the message of the first status, too", () => {
    const start = { ...created, status: { ...created.status, message: message("s0") } };
    expect(foldTask([start, added("m1")]).history).toHaveLength(2);
  });
});

describe("an artifact", () => {
  const artifactsOf = (...events: TaskEvent[]): readonly Artifact[] | undefined =>
    foldTask([created, ...events]).artifacts;
  const textsOf = (...events: TaskEvent[]): unknown =>
    artifactsOf(...events)?.map(({ parts }) => parts.map(({ text }) => text));

  it("grows by the parts of appended chunks", () => {
    verifies("artifact:append");
    expect(
      textsOf(
        chunk({ texts: ["1", "2"] }),
        chunk({ texts: ["3"] }, append),
        chunk({ texts: ["4", "5"] }, { append: true, lastChunk: true }),
      ),
    ).toEqual([["1", "2", "3", "4", "5"]]);
  });

  it.each([{}, { append: false }])("is replaced by one that does not append: %j", (flags) => {
    const events = [chunk({ texts: ["1"], name: "old" }), chunk({ texts: ["2"] }, flags)];
    expect(artifactsOf(...events)).toStrictEqual([{ artifactId: "a1", parts: [{ text: "2" }] }]);
  });

  it("begins with a chunk that has nothing to append to", () => {
    expect(textsOf(chunk({ texts: ["1"] }, append))).toEqual([["1"]]);
  });

  it("keeps its place among others, also when it is replaced", () => {
    const events = [
      chunk({ artifactId: "a1", texts: ["1"] }),
      chunk({ artifactId: "a2", texts: ["2"] }),
      chunk({ artifactId: "a1", texts: ["3"] }),
      chunk({ artifactId: "a2", texts: ["4"] }, append),
    ];
    expect(textsOf(...events)).toEqual([["3"], ["2", "4"]]);
  });

  it("takes names, extensions and metadata from chunks and keeps what they do not name", () => {
    const first = chunk({
      texts: ["1"],
      name: "n",
      description: "d",
      extensions: ["x", "y"],
      metadata: { a: 1, b: 1 },
    });
    const second = chunk(
      { texts: ["2"], name: "m", extensions: ["y", "z"], metadata: { b: 2, c: 2 } },
      append,
    );
    expect(artifactsOf(first, second)).toStrictEqual([
      {
        artifactId: "a1",
        name: "m",
        description: "d",
        extensions: ["x", "y", "z"],
        metadata: { a: 1, b: 2, c: 2 },
        parts: [{ text: "1" }, { text: "2" }],
      },
    ]);
  });

  it("takes extensions and metadata that only a chunk has", () => {
    const second = chunk({ texts: ["2"], extensions: ["x"], metadata: { a: 1 } }, append);
    expect(artifactsOf(chunk({ texts: ["1"] }), second)).toMatchObject([
      { extensions: ["x"], metadata: { a: 1 } },
    ]);
  });

  it("does not bring the metadata of its events into the task", () => {
    const event = chunk({ texts: ["1"] }, { metadata: { a: 1 } });
    expect(foldTask([created, event])).not.toHaveProperty("metadata");
  });

  it("grows in place: 5,000 chunks are pushed onto one list that is never copied", () => {
    const fold = new TaskFold(created);
    fold.apply(chunk({ texts: ["first"] }));
    const chunks = Array.from({ length: 5000 }, (_, index) =>
      chunk({ texts: [`${index}`] }, append),
    );
    const chunkParts = new Set<unknown>(chunks.map(({ artifact }) => artifact.parts[0]));
    const grown = new Map<unknown, number>();
    const { push } = Array.prototype;
    try {
      // eslint-disable-next-line no-extend-native -- every list that grows is watched for a moment
      Array.prototype.push = function watched(this: unknown[], ...items: unknown[]): number {
        if (chunkParts.has(items[0])) grown.set(this, (grown.get(this) ?? 0) + 1);
        return push.apply(this, items);
      };
      for (const event of chunks) fold.apply(event);
    } finally {
      // eslint-disable-next-line no-extend-native -- as it was
      Array.prototype.push = push;
    }
    expect([...grown.values()]).toEqual([5000]);
    expect(fold.task().artifacts?.[0]?.parts).toHaveLength(5001);
  });
});

describe("the metadata", () => {
  it("is merged from the statuses, member by member", () => {
    const task = foldTask([
      { ...created, metadata: { a: 1, b: { x: 1 } } },
      changed("TASK_STATE_WORKING", { metadata: { b: { y: 2 }, c: 3 } }),
      changed("TASK_STATE_WORKING"),
    ]);
    expect(task.metadata).toEqual({ a: 1, b: { y: 2 }, c: 3 });
  });
});

describe("a task that has ended", () => {
  const terminal = [
    "TASK_STATE_COMPLETED",
    "TASK_STATE_FAILED",
    "TASK_STATE_CANCELED",
    "TASK_STATE_REJECTED",
  ] as const;
  const events = [
    created,
    added("m1"),
    changed("TASK_STATE_WORKING"),
    changed("TASK_STATE_COMPLETED"),
    chunk({ texts: ["x"] }),
  ];

  it.each(terminal)("as %s takes nothing more, and says so", (state) => {
    verifies("task:terminal-immutable");
    const fold = new TaskFold(created);
    fold.apply(changed(state, { says: "s1" }));
    const before = fold.task();
    for (const event of events) {
      expect(() => fold.apply(event)).toThrow(
        expect.objectContaining({
          code: "UNSUPPORTED_OPERATION",
          message: expect.stringMatching(
            /^task t1 is [a-z]+; nothing can be added to it$/,
          ) as string,
          details: { metadata: { taskId: "t1" } },
        }),
      );
      expect(fold.task()).toStrictEqual(before);
    }
  });

  it("stays ended when its fold is taken up again", () => {
    const fold = new TaskFold(foldTask([created, changed("TASK_STATE_FAILED")]));
    expect(() => fold.apply(added("m1"))).toThrow("task t1 is failed");
  });
});

describe("a refused event", () => {
  it.each<[string, TaskEvent]>([
    ["a second creation", created],
    ["an unspecified state", changed("TASK_STATE_UNSPECIFIED", { metadata: { a: 1 } })],
  ])("changes nothing: %s", (_, event) => {
    const fold = new TaskFold(created);
    fold.apply(changed("TASK_STATE_WORKING", { says: "s1" }));
    const before = fold.task();
    expect(() => fold.apply(event)).toThrow(expect.objectContaining({ code: "INTERNAL" }));
    expect(fold.task()).toStrictEqual(before);
    expect(fold.status).toBe(before.status);
  });
});

describe("a snapshot", () => {
  it("is independent of later events", () => {
    const fold = new TaskFold({ ...created, metadata: { a: 1 } });
    fold.apply(added("m1"));
    fold.apply(chunk({ texts: ["1"], metadata: { a: 1 } }));
    fold.apply(changed("TASK_STATE_WORKING", { says: "s1" }));
    const snapshot = fold.task();
    const copy = structuredClone(snapshot);
    fold.apply(chunk({ texts: ["2"], metadata: { b: 2 } }, append));
    fold.apply(chunk({ artifactId: "a2", texts: ["3"] }));
    fold.apply(changed("TASK_STATE_COMPLETED", { says: "s2", metadata: { b: 2 } }));
    expect(snapshot).toStrictEqual(copy);
    expect(fold.task()).not.toStrictEqual(copy);
  });

  it("leaves alone the events that it was made from", () => {
    const events = [created, chunk({ texts: ["1"] }), chunk({ texts: ["2"] }, append), added("m1")];
    const copies = structuredClone(events);
    foldTask(events);
    expect(events).toStrictEqual(copies);
  });
});

describe("the size of a task", () => {
  it("is how many parts and messages it holds, however many events they took", () => {
    const fold = new TaskFold(created);
    expect(fold.size).toBe(0);
    fold.apply(added("m1"));
    for (const text of ["1", "2", "3"]) fold.apply(chunk({ texts: [text] }));
    fold.apply(chunk({ texts: ["4", "5"] }, append));
    fold.apply(changed("TASK_STATE_WORKING"));
    expect(fold.size).toBe(4);
  });
});
