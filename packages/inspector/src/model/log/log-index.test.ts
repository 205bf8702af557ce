import { deepStrictEqual } from "node:assert/strict";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject, Part, TaskState } from "@parley/a2a";
import { isTerminal, taskStates } from "@parley/a2a";
import { foldTask } from "@parley/a2a/store";
import type { LogEntry, LogEvent, TaskEvent } from "@parley/a2a/store";
import { isPrivate } from "./describe-entry.js";
import { LogIndex } from "./log-index.js";

const transitionsUri = "urn:parley:a2a:state-transitions:v1";
const detailsUri = "urn:parley:a2a:status-details:v1";

const openStates = taskStates.filter(
  (state) => !isTerminal(state) && state !== "TASK_STATE_UNSPECIFIED",
);

const text = fc.string({ maxLength: 6 });

const part: fc.Arbitrary<Part> = fc.oneof(
  text.map((one) => ({ text: one })),
  fc.constant({ data: { a: 1 } }),
  fc.constant({ raw: "AAAA", mediaType: "image/png" }),
);

const metadata: fc.Arbitrary<JsonObject> = fc.dictionary(
  fc.constantFrom("a", "b", detailsUri),
  fc.oneof(text, fc.constant({ progress: 0.5 })),
  { maxKeys: 2 },
);

const message = fc.record({
  messageId: fc.uuid(),
  role: fc.constantFrom("ROLE_USER" as const, "ROLE_AGENT" as const),
  parts: fc.array(part, { maxLength: 2 }),
});

const status = (states: readonly TaskState[]) =>
  fc.record(
    { state: fc.constantFrom(...states), message, timestamp: fc.constant("2026-11-18T00:00:00Z") },
    { requiredKeys: ["state"] },
  );

const artifact = fc.record(
  {
    artifactId: fc.constantFrom("a1", "a2", "a3"),
    parts: fc.array(part, { maxLength: 3 }),
    name: text,
    description: text,
    extensions: fc.array(fc.constantFrom("x", "y"), { maxLength: 2 }),
    metadata,
  },
  { requiredKeys: ["artifactId", "parts"] },
);

const event: fc.Arbitrary<LogEvent> = fc.oneof(
  fc.record({ kind: fc.constant("message-added" as const), message }),
  fc.record(
    { kind: fc.constant("status-changed" as const), status: status(openStates), metadata },
    { requiredKeys: ["kind", "status"] },
  ),
  fc.record(
    { kind: fc.constant("artifact-updated" as const), artifact, append: fc.boolean() },
    { requiredKeys: ["kind", "artifact"] },
  ),
  fc.constant({ kind: "step-recorded" as const, name: "search", nth: 1 }),
  fc.constant({ kind: "run-started" as const, run: 1, messageId: "m", call: {} }),
);

const created: fc.Arbitrary<LogEvent> = fc.record({
  kind: fc.constant("task-created" as const),
  taskId: fc.constant("t1"),
  contextId: fc.constant("c1"),
  status: status(openStates),
  metadata: fc.constantFrom<JsonObject>({}, { [transitionsUri]: [] }),
});

const end: fc.Arbitrary<LogEvent> = fc.record({
  kind: fc.constant("status-changed" as const),
  status: status(taskStates.filter(isTerminal)),
});

/** A log that the library itself would write. */
const log: fc.Arbitrary<LogEntry[]> = fc
  .tuple(created, fc.array(event, { maxLength: 30 }), fc.option(end, { nil: undefined }))
  .map(([first, events, last]) =>
    [first, ...events, ...(last ? [last] : [])].map((one, position) => ({
      sequence: position + 1,
      at: 1000 + position,
      event: one,
    })),
  );

function isPublic(event: LogEvent): event is TaskEvent {
  return !isPrivate(event);
}

describe("the index of a log", () => {
  it("has at every entry the task that the library folds", () => {
    fc.assert(
      fc.property(log, (entries) => {
        const index = new LogIndex(entries);
        for (let position = 0; position < entries.length; position += 1) {
          const events = entries.slice(0, position + 1).map((entry) => entry.event);
          deepStrictEqual(
            sorted(index.at(position).task()),
            sorted(foldTask(events.filter(isPublic))),
          );
        }
      }),
      { numRuns: 300 },
    );
  });

  it("is the same whether its entries come at once or a few at a time, and however often they come", () => {
    fc.assert(
      fc.property(log, fc.nat(10), (entries, cut) => {
        const index = new LogIndex(entries.slice(0, cut));
        index.append(entries.slice(Math.max(0, cut - 3)));
        const whole = new LogIndex(entries);
        expect(index.length).toBe(whole.length);
        deepStrictEqual(index.at(cut).task(), whole.at(cut).task());
        deepStrictEqual(index.at(index.length).task(), whole.at(index.length).task());
      }),
    );
  });

  it("finds positions by sequence where numbers are missing", () => {
    const entries = [2, 5, 9].map((sequence) => entryOf(sequence, { kind: "cancel-requested" }));
    const index = new LogIndex(entries);
    const found = [1, 2, 3, 5, 8, 9, 100].map((sequence) => index.positionOf(sequence));
    expect(found).toStrictEqual([-1, 0, 0, 1, 1, 2, 2]);
  });

  it("goes from one change of state to the next, and past messages of the same state", () => {
    const index = new LogIndex(
      [
        {
          kind: "task-created",
          taskId: "t",
          contextId: "c",
          status: { state: "TASK_STATE_SUBMITTED" },
        },
        { kind: "status-changed", status: { state: "TASK_STATE_WORKING" } },
        { kind: "status-changed", status: { state: "TASK_STATE_WORKING" } },
        { kind: "cancel-requested" },
        { kind: "status-changed", status: { state: "TASK_STATE_CANCELED" } },
        { kind: "cancel-requested" },
      ].map((one, position) => entryOf(position + 1, one as LogEvent)),
    );
    expect(index.changes).toStrictEqual([0, 1, 4]);
    expect([0, 1, 2, 4, 5].map((at) => index.nextChange(at, 1))).toStrictEqual([1, 4, 4, 5, 5]);
    expect([5, 4, 2, 1, 0].map((at) => index.nextChange(at, -1))).toStrictEqual([4, 1, 1, 0, 0]);
  });

  it("shows what a foreign agent sends after the end of a task", () => {
    const index = new LogIndex([
      entryOf(1, {
        kind: "task-created",
        taskId: "t",
        contextId: "c",
        status: { state: "TASK_STATE_COMPLETED" },
      }),
      entryOf(2, { kind: "status-changed", status: { state: "TASK_STATE_WORKING" } }),
    ]);
    expect(index.stateAt(1)).toBe("TASK_STATE_WORKING");
  });

  it("reads the end of a text from its last parts alone", () => {
    const chunks = Array.from({ length: 1000 }, (_, n) =>
      entryOf(n + 2, {
        kind: "artifact-updated",
        append: true,
        artifact: { artifactId: "a", parts: [countedText(`${n} `)] },
      }),
    );
    const index = new LogIndex(chunks);
    reads = 0;
    const artifact = index.at(499).artifact(0);
    expect(artifact?.textLength).toBe(10 * 2 + 90 * 3 + 400 * 4);
    expect(reads).toBe(0);
    expect(artifact?.textTail(12)).toBe("497 498 499 ");
    expect(reads).toBe(3);
  });
});

/** How often the text of a part was read. */
let reads = 0;

function countedText(value: string): Part {
  return Object.defineProperty({} as { text: string }, "text", {
    get: () => {
      reads += 1;
      return value;
    },
    enumerable: true,
  });
}

function entryOf(sequence: number, event: LogEvent): LogEntry {
  return { sequence, at: sequence * 10, event };
}

/** With the members of objects in one order: a fold and an index may differ in it. */
function sorted(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, one: unknown) =>
      typeof one === "object" && one !== null && !Array.isArray(one)
        ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
        : one,
    ),
  );
}
