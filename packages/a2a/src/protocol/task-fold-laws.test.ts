import { deepStrictEqual } from "node:assert/strict";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { verifies } from "../../test/spec/verifies.js";
import {
  artifact,
  jsonObject,
  message,
  record,
  taskStatus,
} from "../../test/support/arbitraries/model.js";
import { A2AError } from "./a2a-error.js";
import type { TaskCreated, TaskEvent } from "./task-event.js";
import { foldTask, TaskFold } from "./task-fold.js";
import { isTerminal } from "./task-state.js";

const status = taskStatus.filter(({ state }) => state !== "TASK_STATE_UNSPECIFIED");

const openStatus = status.filter(({ state }) => !isTerminal(state));

const created: fc.Arbitrary<TaskCreated> = record(
  {
    kind: fc.constant("task-created" as const),
    taskId: fc.constant("t1"),
    contextId: fc.constant("c1"),
    status: openStatus,
    metadata: jsonObject,
  },
  ["kind", "taskId", "contextId", "status"],
);

/** Few ids, so that chunks meet. */
const knownArtifact = fc
  .tuple(artifact, fc.constantFrom("a1", "a2"))
  .map(([one, artifactId]) => ({ ...one, artifactId }));

function eventWith(statuses: typeof status): fc.Arbitrary<TaskEvent> {
  return fc.oneof(
    record({ kind: fc.constant("message-added" as const), message }, ["kind", "message"]),
    record(
      { kind: fc.constant("status-changed" as const), status: statuses, metadata: jsonObject },
      ["kind", "status"],
    ),
    record(
      {
        kind: fc.constant("artifact-updated" as const),
        artifact: knownArtifact,
        append: fc.boolean(),
        lastChunk: fc.boolean(),
        metadata: jsonObject,
      },
      ["kind", "artifact"],
    ),
  );
}

const openLog = fc.tuple(created, fc.array(eventWith(openStatus), { maxLength: 8 }));

describe("folding a log", () => {
  it("gives the same task from any snapshot as from the beginning", () => {
    fc.assert(
      fc.property(openLog, fc.nat(8), ([first, events], cut) => {
        const fold = new TaskFold(foldTask([first, ...events.slice(0, cut)]));
        for (const event of events.slice(cut)) fold.apply(event);
        deepStrictEqual(fold.task(), foldTask([first, ...events]));
      }),
    );
  });

  it("gives the same task whether or not it was looked at in between", () => {
    fc.assert(
      fc.property(openLog, ([first, events]) => {
        const fold = new TaskFold(first);
        const snapshots = events.map((event) => {
          fold.apply(event);
          return fold.task();
        });
        const expected = events.map((_, index) => foldTask([first, ...events.slice(0, index + 1)]));
        deepStrictEqual(snapshots, expected);
      }),
    );
  });

  it("never loses a message and never has one twice", () => {
    fc.assert(
      fc.property(openLog, ([first, events]) => {
        const told = [first, ...events].flatMap((event) => {
          if (event.kind === "message-added") return [event.message];
          return "status" in event && event.status.message ? [event.status.message] : [];
        });
        const { history = [], status: last } = foldTask([first, ...events]);
        deepStrictEqual([...history, ...(last.message ? [last.message] : [])], told);
      }),
    );
  });

  it("refuses every event once the task has ended, and changes nothing", () => {
    verifies("task:terminal-immutable");
    const last = status.filter(({ state }) => isTerminal(state));
    fc.assert(
      fc.property(openLog, last, fc.array(eventWith(status)), ([first, events], end, more) => {
        const fold = new TaskFold(first);
        for (const event of events) fold.apply(event);
        fold.apply({ kind: "status-changed", status: end });
        const before = fold.task();
        for (const event of [...more, first]) {
          expect(() => fold.apply(event)).toThrow(A2AError);
        }
        deepStrictEqual(fold.task(), before);
      }),
    );
  });
});
