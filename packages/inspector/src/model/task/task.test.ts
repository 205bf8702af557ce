import { describe, expect, it } from "vitest";
import type { Message, StreamResponse, Task } from "@parley/a2a";
import { diffJson } from "../diff/json-diff.js";
import { LogIndex } from "../log/log-index.js";
import { alignEvents, comparedEvents } from "./align-events.js";
import { comparableTask } from "./comparable.js";
import { messagesUpTo } from "./restart.js";
import { StreamLog } from "./stream-log.js";
import { linksOf, taskTree } from "./task-tree.js";
import type { TreeNode, TreeTask } from "./task-tree.js";

const said = (messageId: string, text: string, role: Message["role"] = "ROLE_USER"): Message => ({
  messageId,
  role,
  parts: [{ text }],
  taskId: "t1",
});

const working: StreamResponse = {
  statusUpdate: { taskId: "t1", contextId: "c", status: { state: "TASK_STATE_WORKING" } },
};

const chunk = (text: string, append: boolean): StreamResponse => ({
  artifactUpdate: {
    taskId: "t1",
    contextId: "c",
    artifact: { artifactId: "a", parts: [{ text }] },
    append,
  },
});

function logOf(events: readonly StreamResponse[], begin: number = 0): LogIndex {
  const log = new StreamLog();
  log.sent(said("m1", "Lisbon"), begin);
  events.forEach((event, at) => log.add(event, begin + at));
  return new LogIndex(log.entries);
}

const started: StreamResponse = {
  task: {
    id: "t1",
    contextId: "c",
    status: { state: "TASK_STATE_SUBMITTED" },
    history: [said("m1", "Lisbon")],
  },
};

describe("the log of a stream", () => {
  it("has the task as it was after every event", () => {
    const index = logOf([started, working, chunk("one ", false), chunk("two", true)]);
    expect(index.taskId).toBe("t1");
    expect(
      index
        .at(index.length - 1)
        .artifact(0)
        ?.textTail(100),
    ).toBe("one two");
    expect(index.at(index.length - 1).status.state).toBe("TASK_STATE_WORKING");
    expect(index.at(index.length - 1).historyLength).toBe(1);
  });

  it("takes from the task with which a stream begins again only what is new", () => {
    const log = new StreamLog();
    for (const event of [started, working, chunk("one ", false)]) log.add(event, 1);
    const again: Task = {
      id: "t1",
      contextId: "c",
      status: { state: "TASK_STATE_WORKING" },
      history: [said("m1", "Lisbon")],
      artifacts: [{ artifactId: "a", parts: [{ text: "one " }] }],
    };
    expect(log.add({ task: again }, 2)).toStrictEqual([]);
    const grown = {
      ...again,
      artifacts: [{ artifactId: "a", parts: [{ text: "one " }, { text: "two" }] }],
    };
    expect(log.add({ task: grown }, 3)).toHaveLength(1);
    const index = new LogIndex(log.entries);
    expect(
      index
        .at(index.length - 1)
        .artifact(0)
        ?.textTail(100),
    ).toBe("one two");
  });
});

describe("starting again", () => {
  it("takes the caller's messages up to a moment, without the names of their task", () => {
    const log = new StreamLog();
    log.add(started, 0);
    log.add(
      {
        statusUpdate: {
          taskId: "t1",
          contextId: "c",
          status: { state: "TASK_STATE_INPUT_REQUIRED", message: said("q", "When?", "ROLE_AGENT") },
        },
      },
      1,
    );
    log.sent(said("m2", "Friday"), 2);
    const index = new LogIndex(log.entries);
    expect(messagesUpTo(index, 2)).toStrictEqual([{ parts: [{ text: "Lisbon" }] }]);
    expect(messagesUpTo(index, index.length - 1)).toStrictEqual([
      { parts: [{ text: "Lisbon" }] },
      { parts: [{ text: "Friday" }] },
    ]);
  });
});

describe("comparing two tasks", () => {
  it("does not see ids, times, or how an answer was cut into chunks", () => {
    const one = logOf([started, working, chunk("one ", false), chunk("two", true)]);
    const other = logOf([started, working, chunk("one two", false)], 5000);
    const left = {
      ...one.at(one.length - 1).task(),
      id: "x",
      metadata: { at: "2026-11-18T00:00:00Z" },
    };
    const right = {
      ...other.at(other.length - 1).task(),
      id: "y",
      metadata: { at: "2027-01-01T00:00:00Z" },
    };
    expect(diffJson(comparableTask(left), comparableTask(right))).toStrictEqual([]);
    const wrong = logOf([started, working, chunk("one three", false)]);
    const found = diffJson(
      comparableTask(left),
      comparableTask({ ...wrong.at(9).task(), metadata: left.metadata }),
    );
    expect(found.map(({ path }) => path)).toStrictEqual(["artifacts[0].parts[0].text"]);
  });

  it("puts what both did side by side", async () => {
    const done: StreamResponse = {
      statusUpdate: { taskId: "t1", contextId: "c", status: { state: "TASK_STATE_COMPLETED" } },
    };
    const one = comparedEvents(logOf([started, working, done]));
    const other = comparedEvents(logOf([started, working, chunk("x", false), done]));
    const aligned = await alignEvents(one, other);
    expect(aligned.map(({ left, right }) => [left?.title, right?.title])).toStrictEqual([
      ["“Lisbon”", "“Lisbon”"],
      ["Created", "Created"],
      ["Working", "Working"],
      [undefined, "a"],
      ["Completed", "Completed"],
    ]);
  });
});

describe("the tree of tasks", () => {
  const task = (
    taskId: string,
    since: number,
    links: Partial<TreeTask["links"]> = {},
    contextId = taskId,
  ): TreeTask => ({
    taskId,
    contextId,
    since,
    state: "TASK_STATE_WORKING",
    links: { references: [], runs: [], ...links },
  });
  const draw = (nodes: readonly TreeNode[]): unknown[] =>
    nodes.map(({ task: { taskId }, reason, children }) => [taskId, reason, draw(children)]);

  const span = (traceId: string, spanId: string) => ({ traceId, spanId });

  it("takes the task whose run called before references, a trace and a context", () => {
    const tree = taskTree([
      task("root", 1, { runs: [span("x", "1"), span("x", "2")] }, "c"),
      task("child", 2, { calledFrom: span("x", "2"), references: ["other"] }),
      task("named", 3, { references: ["child"] }),
      task("traced", 4, { calledFrom: span("x", "unknown") }),
      task("beside", 5, {}, "c"),
      task("other", 6, { calledFrom: span("y", "2") }),
    ]);
    expect(draw(tree)).toStrictEqual([
      [
        "root",
        undefined,
        [
          ["child", "parent", [["named", "reference", []]]],
          ["traced", "trace", []],
          ["beside", "context", []],
        ],
      ],
      ["other", undefined, []],
    ]);
  });

  it("loses no task where tasks name each other in a circle", () => {
    const tree = taskTree([
      task("a", 1, { calledFrom: span("x", "b"), runs: [span("x", "a")] }),
      task("b", 2, { calledFrom: span("x", "a"), runs: [span("x", "b")] }),
    ]);
    expect(JSON.stringify(draw(tree)).match(/"[ab]"/gu)).toHaveLength(2);
  });

  it("reads references from messages, the caller's span from the call, and its own from its runs", () => {
    const message = { ...said("m", "x"), referenceTaskIds: ["t0"] };
    const call = { trace: { traceparent: "00-abc-def-01" } };
    const run = (spanId: string) => ({ traceparent: `00-abc-${spanId}-01` });
    expect(
      linksOf([
        { sequence: 1, at: 0, event: { kind: "message-added", message, call } },
        {
          sequence: 2,
          at: 0,
          event: { kind: "run-started", run: 1, messageId: "m", call, trace: run("one") },
        },
        {
          sequence: 3,
          at: 0,
          event: { kind: "run-resumed", run: 1, attempt: 2, revision: "1", trace: run("two") },
        },
      ]),
    ).toStrictEqual({
      references: ["t0"],
      calledFrom: span("abc", "def"),
      runs: [span("abc", "one"), span("abc", "two")],
    });
  });
});
