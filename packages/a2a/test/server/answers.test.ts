import { describe, expect, it } from "vitest";
import { A2AError, failureOf, statusDetailsUri } from "../../src/protocol/internal.js";
import type { Part } from "../../src/protocol/internal.js";
import type { Handler, Outcome, Output, RunContext } from "../../src/server/index.js";
import { verifies } from "../spec/verifies.js";
import { call, openTestRuntime, say } from "../support/runtime/open-test-runtime.js";
import {
  artifactText,
  describeEvents,
  refusal,
  stateOf,
  taskOf,
  textIn,
} from "../support/runtime/answers.js";
import { collect } from "../support/streams.js";
import { settle } from "../support/time/until.js";

/** A handler that yields and then returns. */
function speaker(outputs: readonly Output[], outcome?: Outcome): Handler {
  return async function* () {
    yield* outputs;
    return outcome;
  };
}

async function answerOf(run: Handler) {
  await using runtime = await openTestRuntime({ run });
  return taskOf(await runtime.service.sendMessage(say("hello"), call()));
}

describe("a handler that only returns content", () => {
  it.each<[string, Outcome, Part[]]>([
    ["a string", "Hi", [{ text: "Hi" }]],
    ["an empty string", "", [{ text: "" }]],
    ["a part", { data: { n: 1 } }, [{ data: { n: 1 } }]],
    [
      "a list",
      ["Hi", { url: "https://a.example/" }],
      [{ text: "Hi" }, { url: "https://a.example/" }],
    ],
  ])("answers with a message without a task: %s", async (_, outcome, parts) => {
    verifies("send:one-payload", "message:server-task", "context:generated-returned");
    await using runtime = await openTestRuntime({ run: async () => outcome });
    const { message, task } = await runtime.service.sendMessage(say("hello"), call());
    expect(task).toBeUndefined();
    expect(message).toEqual({
      messageId: expect.any(String),
      role: "ROLE_AGENT",
      contextId: expect.any(String),
      parts,
    });
    const { totalSize } = await runtime.service.listTasks({}, call());
    expect(totalSize).toBe(0);
    expect(runtime.watched).toBe(0);
  });

  it("streams that message as its only event", async () => {
    verifies("stream:message-only", "stream:established");
    await using runtime = await openTestRuntime({ run: () => "Hi" });
    const events = await collect(runtime.service.sendStreamingMessage(say("hello"), call()));
    expect(describeEvents(events)).toEqual(["message Hi"]);
  });
});

describe("a handler that yields", () => {
  it("makes a task and streams strings into one artifact", async () => {
    verifies("stream:task-first", "stream:update-events", "stream:close-at-terminal");
    await using runtime = await openTestRuntime({ run: speaker(["a", "", "b"]) });
    const events = await collect(runtime.service.sendStreamingMessage(say("hello"), call()));
    expect(describeEvents(events)).toEqual([
      "task submitted",
      "status working",
      "artifact answer = a",
      "artifact answer += b",
      "status completed",
    ]);
    expect(runtime.watched).toBe(0);
  });

  it.each<[string, Output[], Outcome, string | undefined]>([
    ["strings", ["a", "b"], undefined, "ab"],
    ["strings and a returned one", ["a"], "z", "az"],
    ["a status and a returned list", [{ status: "Busy" }], ["y", "z"], "yz"],
    [
      "an artifact of that name, then strings",
      [{ artifact: "answer", text: "x" }, "y"],
      "z",
      "xyz",
    ],
    ["nothing but a status", [{ status: "Busy" }], undefined, undefined],
  ])("has its answer in the artifact of that name: %s", async (_, outputs, outcome, text) => {
    const task = await answerOf(speaker(outputs, outcome));
    expect(stateOf(task)).toBe("completed");
    expect(artifactText(task)).toBe(text);
  });

  it.each<[string, Output, object]>([
    ["text", { artifact: "a", text: "x" }, { parts: [{ text: "x" }] }],
    ["data", { artifact: "a", data: [1, null] }, { parts: [{ data: [1, null] }] }],
    [
      "data of a media type",
      { artifact: "a", data: {}, mediaType: "application/geo+json" },
      { parts: [{ data: {}, mediaType: "application/geo+json" }] },
    ],
    [
      "bytes",
      { artifact: "a", file: { bytes: new Uint8Array([1, 2, 255]), filename: "f.bin" } },
      { parts: [{ raw: "AQL/", filename: "f.bin" }] },
    ],
    [
      "a link",
      { artifact: "a", file: { url: "https://a.example/f", mediaType: "image/png" } },
      { parts: [{ url: "https://a.example/f", mediaType: "image/png" }] },
    ],
    [
      "parts",
      { artifact: "a", parts: ["x", { data: 1 }] },
      { parts: [{ text: "x" }, { data: 1 }] },
    ],
    [
      "all that describes it",
      {
        artifact: "a",
        text: "x",
        name: "A",
        description: "The first",
        extensions: ["urn:e"],
        metadata: { k: "v" },
      },
      {
        parts: [{ text: "x" }],
        name: "A",
        description: "The first",
        extensions: ["urn:e"],
        metadata: { k: "v" },
      },
    ],
  ])("makes a named artifact of %s", async (_, output, artifact) => {
    verifies("artifact:parts-required", "part:raw-base64");
    const task = await answerOf(speaker([output]));
    expect(task.artifacts).toEqual([{ artifactId: "a", ...artifact }]);
  });

  it("replaces an artifact, or continues it and says which chunk is the last", async () => {
    verifies("artifact:id-unique");
    await using runtime = await openTestRuntime({
      run: speaker([
        { artifact: "a", text: "draft" },
        { artifact: "a", text: "x" },
        { artifact: "a", text: "y", append: true },
        { artifact: "a", text: "z", append: true, lastChunk: true },
      ]),
    });
    const events = await collect(runtime.service.sendStreamingMessage(say("hello"), call()));
    const updates = events.flatMap(({ response }) => response.artifactUpdate ?? []);
    expect(updates.map(({ append, lastChunk }) => [append, lastChunk])).toEqual([
      [undefined, true],
      [undefined, true],
      [true, undefined],
      [true, true],
    ]);
    const { tasks } = await runtime.service.listTasks({ includeArtifacts: true }, call());
    expect(tasks.map(({ artifacts }) => artifacts)).toEqual([
      [{ artifactId: "a", parts: [{ text: "x" }, { text: "y" }, { text: "z" }] }],
    ]);
  });

  it("tells its progress and metadata with a status, and keeps its words in the history", async () => {
    verifies("message:reliance");
    await using runtime = await openTestRuntime({
      run: speaker([{ status: "Half", progress: 0.5, metadata: { step: 2 } }, { status: "More" }]),
    });
    const events = await collect(runtime.service.sendStreamingMessage(say("hello"), call()));
    expect(describeEvents(events).slice(2)).toEqual([
      "status working: Half",
      "status working: More",
      "status completed",
    ]);
    const metadata = { step: 2, [statusDetailsUri]: { progress: 0.5 } };
    expect(events[2]?.response.statusUpdate?.metadata).toEqual(metadata);
    expect(events[3]?.response.statusUpdate?.metadata).toBeUndefined();
    const { tasks } = await runtime.service.listTasks({}, call());
    expect(tasks[0]?.metadata).toEqual({ step: 2 });
    expect(tasks[0]?.history?.map(({ parts }) => textIn(parts))).toEqual(["hello", "Half", "More"]);
  });

  it("says what it said, whatever becomes of the objects it used", async () => {
    const task = await answerOf(async function* () {
      const data = { count: 1 };
      const parts: Part[] = [{ data }];
      yield { artifact: "a", data };
      data.count = 2;
      yield { artifact: "b", parts };
      parts.push({ text: "late" });
      data.count = 3;
      return [{ data }];
    });
    expect(task.artifacts?.map(({ parts }) => parts)).toEqual([
      [{ data: { count: 1 } }],
      [{ data: { count: 2 } }],
      [{ data: { count: 3 } }],
    ]);
  });
});

describe("a handler that ends", () => {
  it("completes its task when it returns nothing", async () => {
    const task = await answerOf(async () => undefined);
    expect(stateOf(task)).toBe("completed");
    expect(task.artifacts).toBeUndefined();
  });

  it("asks for one more message when it returns a question", async () => {
    const task = await answerOf(async () => ({ inputRequired: "Which one?" }));
    expect(stateOf(task)).toBe("input_required");
    expect(task.status.message).toMatchObject({
      role: "ROLE_AGENT",
      taskId: task.id,
      contextId: task.contextId,
      parts: [{ text: "Which one?" }],
    });
  });

  it.each([
    ["failed", "fail"],
    ["rejected", "reject"],
  ] as const)("is %s with the reason it gives", async (state, verb) => {
    await using runtime = await openTestRuntime({
      run: async function* (context) {
        yield "begun";
        context[verb](["Because", { data: 1 }]);
      },
    });
    const task = taskOf(await runtime.service.sendMessage(say("hello"), call()));
    expect(stateOf(task)).toBe(state);
    expect(task.status.message?.parts).toEqual([{ text: "Because" }, { data: 1 }]);
    expect(runtime.reports).toEqual([]);
  });

  const secret = "password=hunter2";
  it.each<[string, Handler]>([
    ["at once", () => Promise.reject(new Error(secret))],
    [
      "synchronously",
      () => {
        throw new Error(secret);
      },
    ],
    [
      "with an error of the protocol",
      () => Promise.reject(new A2AError("PERMISSION_DENIED", secret)),
    ],
    [
      "with no error at all",
      () => {
        throw secret as unknown as Error;
      },
    ],
    [
      "in the middle",
      async function* () {
        yield "begun";
        throw new Error(secret);
      },
    ],
    ["in a step", ({ step }) => step("s", () => Promise.reject(new Error(secret)))],
  ])("fails without a word of what it threw: %s", async (_, run) => {
    verifies("task:named-states");
    await using runtime = await openTestRuntime({ run });
    const task = taskOf(await runtime.service.sendMessage(say("hello"), call()));
    expect(stateOf(task)).toBe("failed");
    expect(JSON.stringify(task)).not.toContain(secret);
    const [reported, ...others] = runtime.reports;
    expect(others).toEqual([]);
    expect(reported?.taskId).toBe(task.id);
    expect(String(reported?.error)).toContain(secret);
    const said = textIn(task.status.message?.parts ?? []);
    expect(said).toBe(`The agent failed (${reported?.reference}).`);
  });

  it.each<[string, Handler]>([
    ["an empty list", () => []],
    ["an artifact without parts", speaker([{ artifact: "a", parts: [] }])],
    ["an empty reason", ({ fail }) => fail([])],
    ["a number that JSON cannot hold", speaker([{ artifact: "a", data: 1n as unknown as number }])],
  ])("fails when it says what cannot be said: %s", async (_, run) => {
    await using runtime = await openTestRuntime({ run });
    const error = await refusal(runtime.service.sendMessage(say("hello"), call()));
    expect(error.code).toBe("INVALID_AGENT_RESPONSE");
    const id = error.details.metadata?.["taskId"] ?? "";
    expect(stateOf(await runtime.service.getTask({ id }, call()))).toBe("failed");
    expect(runtime.reports).toHaveLength(1);
  });

  it("gets its cleaning up done when it is left", async () => {
    let isClean = false;
    await using runtime = await openTestRuntime({
      run: async function* () {
        try {
          yield "x".repeat(200);
          yield "more";
        } finally {
          isClean = true;
        }
      },
      settings: { maxEventBytes: 150 },
    });
    const { task } = await runtime.service.sendMessage(say("hello"), call());
    expect(task && stateOf(task)).toBe("failed");
    expect(isClean).toBe(true);
  });
});

describe("a handler that makes a mistake", () => {
  it.each<[string, unknown, string]>([
    [
      "yields a number",
      async function* () {
        yield 42;
      },
      'the handler of agent "Tested" yielded 42; expected a string',
    ],
    [
      "misspells a member",
      async function* () {
        yield { artefact: "a", text: "b" };
      },
      "did you mean artifact",
    ],
    ["returns a stream", () => new ReadableStream(), "write yield* in an async function*"],
    ["asks nothing", ({ ask }: RunContext) => ask(undefined as never), "ask(): "],
  ])("fails its task and tells the operator what it did: %s", async (_, run, words) => {
    await using runtime = await openTestRuntime({ run: run as Handler });
    const error = await refusal(runtime.service.sendMessage(say("go"), call()));
    const [reported] = runtime.reports;
    expect(String(reported?.error)).toContain(words);
    const reason = `The agent gave a malformed answer (${reported?.reference}).`;
    expect([error.code, error.message]).toEqual(["INVALID_AGENT_RESPONSE", reason]);
    const id = error.details.metadata?.["taskId"] ?? "";
    const task = await runtime.service.getTask({ id }, call());
    expect(stateOf(task)).toBe("failed");
    expect(textIn(task.status.message?.parts ?? [])).toBe(reason);
    expect(failureOf(task)).toEqual({ code: "INVALID_AGENT_RESPONSE", message: reason });
  });
});

describe("a handler that completes with words", () => {
  it.each<[string, Handler, string | undefined]>([
    ["and nothing else", () => ({ completed: "Booked." }), undefined],
    [
      "after an answer",
      async function* () {
        yield "Flight 1";
        return { completed: ["Booked.", { data: { seats: 2 } }] };
      },
      "Flight 1",
    ],
  ])("has a task with them on its status: %s", async (_, run, answer) => {
    await using runtime = await openTestRuntime({ run });
    const task = taskOf(await runtime.service.sendMessage(say("go"), call()));
    expect([stateOf(task), artifactText(task)]).toEqual(["completed", answer]);
    expect(textIn(task.status.message?.parts ?? [])).toContain("Booked.");
  });

  it("may also say nothing at all", async () => {
    await using runtime = await openTestRuntime({ run: () => undefined });
    const task = taskOf(await runtime.service.sendMessage(say("go"), call()));
    expect(stateOf(task)).toBe("completed");
    expect([task.artifacts, task.status.message]).toEqual([undefined, undefined]);
  });
});

it("a handler that fails may tell programs why", async () => {
  await using runtime = await openTestRuntime({
    run: ({ fail }) => fail("No seats left", { code: "SOLD_OUT", details: { flight: 7 } }),
  });
  const task = taskOf(await runtime.service.sendMessage(say("go"), call()));
  expect(task.metadata).toEqual({
    [statusDetailsUri]: {
      error: { code: "SOLD_OUT", message: "No seats left", details: { flight: 7 } },
    },
  });
});

describe("the last chunk", () => {
  const updatesOf = async (run: Handler) => {
    await using runtime = await openTestRuntime({ run });
    const events = await collect(runtime.service.sendStreamingMessage(say("go"), call()));
    return events.flatMap(({ response }) => response.artifactUpdate ?? []);
  };

  it("of an answer that is told at once is marked", async () => {
    verifies("message:not-for-results");
    const updates = await updatesOf(async function* () {
      yield "a";
      yield { data: 1 };
    });
    expect(updates.map(({ lastChunk }) => lastChunk)).toEqual([undefined, true]);
    expect(updates.map(({ artifact }) => artifact.parts)).toEqual([[{ text: "a" }], [{ data: 1 }]]);
  });

  it("of an answer that is on its way already is told by an update of its own", async () => {
    verifies("artifact:last-chunk");
    const updates = await updatesOf(async function* () {
      yield "a";
      await settle();
      yield "b";
      await settle();
    });
    expect(updates.map(({ artifact, lastChunk }) => [textIn(artifact.parts), lastChunk])).toEqual([
      ["a", undefined],
      ["b", undefined],
      ["", true],
    ]);
  });

  it("of an answer that fails is not marked", async () => {
    const updates = await updatesOf(async function* ({ fail }) {
      yield "a";
      fail("no");
    });
    expect(updates.map(({ lastChunk }) => lastChunk)).toEqual([undefined]);
  });
});
