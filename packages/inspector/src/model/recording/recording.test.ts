import { describe, expect, it } from "vitest";
import type { LogEntry, TaskRecord } from "@parley/a2a/store";
import { LogIndex } from "../log/log-index.js";
import { NotARecording, readRecording } from "./read-recording.js";
import type { Recording } from "./read-recording.js";
import { testFileOf } from "./test-file.js";
import { writeRecording } from "./write-recording.js";

const record: TaskRecord = {
  taskId: "t1",
  owner: { tenant: "", subject: "anna" },
  agent: "travel",
  contextId: "c1",
  createdIn: "1.0",
  state: "TASK_STATE_COMPLETED",
  statusAt: 3,
  sequence: 3,
  bytes: 10,
  epoch: 1,
};

const entries: readonly LogEntry[] = [
  {
    sequence: 1,
    at: 1,
    event: {
      kind: "task-created",
      taskId: "t1",
      contextId: "c1",
      status: { state: "TASK_STATE_SUBMITTED" },
    },
  },
  {
    sequence: 2,
    at: 2,
    event: {
      kind: "message-added",
      message: { messageId: "m", role: "ROLE_USER", parts: [{ text: "Hi </script> \u2028" }] },
    },
  },
  {
    sequence: 3,
    at: 3,
    event: {
      kind: "artifact-updated",
      artifact: { artifactId: "a", parts: [{ text: "Hello" }] },
    },
  },
];

const recording: Omit<Recording, "problems"> = {
  version: "0.1.0",
  savedAt: 9,
  hops: [],
  resumptions: [{ connection: "c", taskId: "t1", at: 2, attempt: 1, by: "sequence" }],
  deliveries: [],
  pushes: [
    {
      id: 1,
      taskId: "t1",
      configId: "c",
      sequence: 3,
      attempt: 1,
      host: "receiver.example",
      startedAt: 3,
      endedAt: 5,
      outcome: "arrived",
    },
  ],
  tasks: [record],
  logs: new Map([["t1", entries]]),
};

const text = writeRecording(recording);
const header = text.slice(0, text.indexOf("\n") + 1);

describe("a recording", () => {
  it("is read as it was written, however it is cut into pieces", async () => {
    for (const size of [1, 7, 100_000]) {
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, n) =>
        text.slice(n * size, (n + 1) * size),
      );
      expect(await readRecording(pieces)).toStrictEqual({ ...recording, problems: [] });
    }
  });

  it.each([
    ["an empty file", "", "empty"],
    ["another file", "hello\n", "first line is not JSON"],
    ["a later format", '{"kind":"recording","format":2}\n', "format 2; this inspector reads 1"],
    ["a file without its header", text.slice(header.length), "first line is not a header"],
  ])("is not %s", async (_, content, problem) => {
    await expect(readRecording([content])).rejects.toThrow(NotARecording);
    await expect(readRecording([content])).rejects.toThrow(problem);
  });

  it.each([
    ["{", "is not JSON"],
    ['{"kind":"secret"}', "is of an unknown kind, secret"],
    [
      '{"kind":"entry","taskId":"t","entry":{"sequence":1,"at":1,"event":{"kind":"constructor"}}}',
      "has an event of an unknown kind, constructor",
    ],
    [
      '{"kind":"entry","taskId":"t","entry":{"sequence":1,"at":1,"event":{"kind":"artifact-updated","artifact":{"artifactId":"a","parts":{}}}}}',
      "parts are not a list",
    ],
    [
      '{"kind":"entry","taskId":"t","entry":{"sequence":1,"at":1,"event":{"kind":"status-changed","status":{"state":"toString"}}}}',
      "has an unknown state",
    ],
    ['{"kind":"hop","hop":{"id":1}}', "has no list requestHeaders"],
    ['{"kind":"task","record":{"taskId":1}}', "has no taskId that is a string"],
    ["[]", "is not an object"],
    [header, "is a second header"],
  ])("leaves out the line %s and says why", async (line, problem) => {
    const read = await readRecording([`${text}${line}\n`]);
    expect(read.problems).toHaveLength(1);
    expect(read.problems[0]).toContain(problem);
    expect(read.logs.get("t1")).toHaveLength(3);
  });

  it("names at most twenty problems, and ends at its limits", async () => {
    expect((await readRecording([header, "{\n".repeat(1000)])).problems).toHaveLength(20);
    const limits = { maxBytes: 1000, maxLines: 3 };
    await expect(readRecording([header, "x".repeat(1000)], limits)).rejects.toThrow(
      "larger than 1000",
    );
    await expect(readRecording([header, "{}\n".repeat(9)], limits)).rejects.toThrow(
      "more than 3 lines",
    );
  });

  it("leaves out what is nested too deeply to be written", async () => {
    let data: unknown = 1;
    for (let level = 0; level < 20_000; level += 1) data = [data];
    const deep = {
      sequence: 4,
      at: 4,
      event: { kind: "step-recorded", name: "s", result: data },
    } as LogEntry;
    const written = writeRecording({ ...recording, logs: new Map([["t1", [...entries, deep]]]) });
    expect((await readRecording([written])).logs.get("t1")).toHaveLength(3);
  });
});

describe("a test that is made of a task", () => {
  it("sends its messages and expects its end, and what the agent said stays text", () => {
    const file = testFileOf(new LogIndex(entries), "http://localhost:4100/");
    expect(file).toContain('expect(task?.status.state).toBe("TASK_STATE_SUBMITTED")');
    expect(file).toContain('expect(textOf(task?.artifacts?.[0])).toBe("Hello")');
    expect(file).toContain(String.raw`"Hi <\/script> \u2028"`);
    expect(file).not.toContain("\u2028");
  });
});
