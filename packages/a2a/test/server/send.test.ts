import { describe, expect, it } from "vitest";
import { isInterrupted } from "../../src/protocol/internal.js";
import { createDeferred } from "../support/time/deferred.js";
import { verifies } from "../spec/verifies.js";
import {
  call,
  callBy,
  openTestRuntime,
  say,
  sayAndLeave,
} from "../support/runtime/open-test-runtime.js";
import {
  artifactText,
  refusal,
  refusalCode,
  stateOf,
  taskOf,
  textIn,
} from "../support/runtime/answers.js";
import { collect } from "../support/streams.js";
import { settle } from "../support/time/until.js";

describe("a caller that waits", () => {
  it.each([
    ["completes", "completed"],
    ["fails", "failed"],
    ["asks", "input_required"],
    ["asks for authorization", "auth_required"],
  ])("is answered when the task %s, with all there is to it", async (ending, state) => {
    verifies("send:blocking-default", "send:blocking-latest-state", "task:id-returned");
    const gate = createDeferred<void>();
    await using runtime = await openTestRuntime({
      run: async function* ({ fail, ask, authRequired }) {
        yield "first ";
        await gate.promise;
        yield "second";
        if (ending === "fails") fail("no");
        if (ending === "asks") await ask("what?");
        if (ending === "asks for authorization") await authRequired("please");
      },
    });
    let isAnswered = false;
    const answer = runtime.service.sendMessage(say("go"), call()).finally(() => {
      isAnswered = true;
    });
    await settle();
    expect(isAnswered).toBe(false);
    gate.resolve();
    const task = taskOf(await answer);
    expect(stateOf(task)).toBe(state);
    expect(artifactText(task)).toBe("first second");
    expect(await runtime.service.getTask({ id: task.id }, call())).toEqual(task);
    // A handler that asks waits for the answer.
    expect(runtime.watched).toBe(isInterrupted(task.status.state) ? 1 : 0);
  });

  it("can leave, and the work goes on", async () => {
    const gate = createDeferred<void>();
    await using runtime = await openTestRuntime({
      run: async function* () {
        yield "begun";
        await gate.promise;
      },
    });
    const leaving = new AbortController();
    const answer = runtime.service.sendMessage(say("go"), call({ signal: leaving.signal }));
    await settle();
    leaving.abort();
    expect(await refusalCode(answer)).toBe("UNAVAILABLE");
    gate.resolve();
    await settle();
    const { tasks } = await runtime.service.listTasks({}, call());
    expect(tasks.map(stateOf)).toEqual(["completed"]);
    expect(runtime.watched).toBe(0);
  });

  it("can leave before it is known whether there will be a task", async () => {
    const gate = createDeferred<string>();
    await using runtime = await openTestRuntime({ run: () => gate.promise });
    const leaving = new AbortController();
    const answer = runtime.service.sendMessage(say("go"), call({ signal: leaving.signal }));
    await settle();
    leaving.abort();
    expect(await refusalCode(answer)).toBe("UNAVAILABLE");
    gate.resolve("too late");
    await settle();
    expect(runtime.reports).toEqual([]);
  });
});

describe("a caller that does not wait", () => {
  it("gets the message of an agent that answers at once", async () => {
    verifies("send:return-immediately-message");
    await using runtime = await openTestRuntime({ run: () => "Hi" });
    const { pending } = runtime.clock;
    const { message } = await runtime.service.sendMessage(sayAndLeave("go"), call());
    expect(message && textIn(message.parts)).toBe("Hi");
    expect(runtime.clock.pending).toBe(pending);
  });

  it("gets a task once the agent has made one", async () => {
    verifies("send:return-immediately");
    const gate = createDeferred<void>();
    await using runtime = await openTestRuntime({
      run: async function* () {
        yield { status: "On it" };
        await gate.promise;
      },
    });
    const task = taskOf(await runtime.service.sendMessage(sayAndLeave("go"), call()));
    expect(stateOf(task)).toBe("working");
    gate.resolve();
  });

  it("gets a task when the agent has not decided in time", async () => {
    const gate = createDeferred<string>();
    await using runtime = await openTestRuntime({
      run: () => gate.promise,
      settings: { decisionMs: 50 },
    });
    let isAnswered = false;
    const answer = runtime.service.sendMessage(sayAndLeave("go"), call()).finally(() => {
      isAnswered = true;
    });
    await runtime.clock.advance(49);
    expect(isAnswered).toBe(false);
    await runtime.clock.advance(1);
    const task = taskOf(await answer);
    expect(stateOf(task)).toBe("working");
    gate.resolve("late");
    await settle();
    const done = await runtime.service.getTask({ id: task.id }, call());
    expect(stateOf(done)).toBe("completed");
    expect(artifactText(done)).toBe("late");
  });
});

describe("a message for a task", () => {
  it.each(["0.2", "0.3", "1.0"] as const)(
    "is refused when %s names one there is not",
    async (version) => {
      verifies("send:unknown-task-id", "stream:unknown-task-id", "send:client-task-id");
      await using runtime = await openTestRuntime({ run: () => "Hi" });
      const request = say("go", { taskId: "mine" });
      const error = await refusal(runtime.service.sendMessage(request, call({ version })));
      expect(error.code).toBe("TASK_NOT_FOUND");
      expect(error.details.metadata).toEqual({ taskId: "mine" });
      const stream = collect(runtime.service.sendStreamingMessage(request, call({ version })));
      expect(await refusalCode(stream)).toBe("TASK_NOT_FOUND");
    },
  );

  it("is refused when the task has ended, and nothing is written", async () => {
    verifies("send:terminal-task", "stream:terminal-task", "task:terminal-immutable");
    await using runtime = await openTestRuntime({
      run: async function* ({ text, fail, reject }) {
        yield "x";
        if (text === "failed") fail("no");
        if (text === "rejected") reject("no");
      },
    });
    for (const state of ["completed", "failed", "rejected"]) {
      const task = taskOf(await runtime.service.sendMessage(say(state), call()));
      expect(stateOf(task)).toBe(state);
      const before = await runtime.store.load(task.id);
      const request = say("more", { taskId: task.id });
      const error = await refusal(runtime.service.sendMessage(request, call()));
      expect(error.code).toBe("UNSUPPORTED_OPERATION");
      const stream = collect(runtime.service.sendStreamingMessage(request, call()));
      expect(await refusalCode(stream)).toBe("UNSUPPORTED_OPERATION");
      expect(await runtime.store.load(task.id)).toEqual(before);
      expect(runtime.watched).toBe(0);
    }
  });

  it("takes the task's context, and keeps to it", async () => {
    verifies("context:inferred", "context:mismatch", "context:rejected");
    await using runtime = await openTestRuntime({
      run: async ({ ask }) => {
        await ask("more?");
        return "done";
      },
    });
    const first = taskOf(await runtime.service.sendMessage(say("go", { contextId: "c1" }), call()));
    expect(first.contextId).toBe("c1");
    const before = await runtime.store.load(first.id);
    const stray = say("more", { taskId: first.id, contextId: "c2" });
    const error = await refusal(runtime.service.sendMessage(stray, call()));
    expect(error.code).toBe("INVALID_PARAMS");
    expect(error.details.fieldViolations?.map(({ field }) => field)).toEqual(["message.contextId"]);
    expect(await runtime.store.load(first.id)).toEqual(before);
    const done = taskOf(
      await runtime.service.sendMessage(say("more", { taskId: first.id }), call()),
    );
    expect(done.contextId).toBe("c1");
    expect(stateOf(done)).toBe("completed");
    expect(done.history?.map(({ contextId, taskId }) => [contextId, taskId])).toEqual(
      done.history?.map(() => ["c1", first.id]),
    );
  });

  it("makes up a context that no two tasks share, and keeps one that is given", async () => {
    verifies("context:generated-returned", "context:not-replaced", "task:unique-id");
    await using runtime = await openTestRuntime({
      run: async function* () {
        yield "x";
      },
    });
    const send = async (contextId?: string) =>
      taskOf(
        await runtime.service.sendMessage(
          say("go", contextId === undefined ? {} : { contextId }),
          call(),
        ),
      );
    const tasks = [await send(), await send(), await send("c"), await send("c")];
    expect(new Set(tasks.map(({ id }) => id)).size).toBe(4);
    expect(new Set(tasks.map(({ contextId }) => contextId)).size).toBe(3);
    expect(tasks[3]?.contextId).toBe("c");
  });

  it("says at most as much of the history as was asked for, the latest", async () => {
    verifies("task:history-limit", "task:history-most-recent");
    await using runtime = await openTestRuntime({
      run: async function* () {
        yield { status: "one" };
        yield { status: "two" };
        yield { status: "three" };
      },
    });
    const texts = async (historyLength?: number) => {
      const configuration = historyLength === undefined ? {} : { historyLength };
      const sent = taskOf(
        await runtime.service.sendMessage(say("go", {}, { configuration }), call()),
      );
      const got = await runtime.service.getTask(
        { id: sent.id, ...(historyLength !== undefined && { historyLength }) },
        call(),
      );
      expect(got.history).toEqual(sent.history);
      expect("history" in sent).toBe(historyLength !== 0);
      return sent.history?.map(({ parts }) => textIn(parts));
    };
    expect(await texts()).toEqual(["go", "one", "two", "three"]);
    expect(await texts(0)).toBeUndefined();
    expect(await texts(2)).toEqual(["two", "three"]);
    expect(await texts(9)).toEqual(["go", "one", "two", "three"]);
  });
});

describe("a caller of 0.1", () => {
  const oldCall = callBy("ann", { version: "0.1" });

  it("chooses the id of its task, which is a task whatever the agent does", async () => {
    await using runtime = await openTestRuntime({ run: ({ text }) => `You said ${text}` });
    const task = taskOf(await runtime.service.sendMessage(say("hi", { taskId: "t/1" }), oldCall));
    expect(task.id).toBe("t/1");
    expect(stateOf(task)).toBe("completed");
    expect(artifactText(task)).toBe("You said hi");
    expect(await runtime.service.getTask({ id: "t/1" }, oldCall)).toEqual(task);
    expect(task.history?.map(({ taskId }) => taskId)).toEqual(["t/1"]);
    expect(
      await refusalCode(runtime.service.sendMessage(say("hi", { taskId: "t/1" }), oldCall)),
    ).toBe("UNSUPPORTED_OPERATION");
  });

  it("goes on with a task of the id, in a stream and with events of that id", async () => {
    await using runtime = await openTestRuntime({
      run: async ({ ask }) => `Hello ${textIn((await ask("Your name?")).parts)}`,
    });
    const first = await collect(
      runtime.service.sendStreamingMessage(say("hi", { taskId: "t1" }), oldCall),
    );
    const second = await collect(
      runtime.service.sendStreamingMessage(say("Ann", { taskId: "t1" }), oldCall),
    );
    const idIn = ({ response }: (typeof first)[number]): string | undefined =>
      response.task?.id ?? response.statusUpdate?.taskId ?? response.artifactUpdate?.taskId;
    expect(new Set([...first, ...second].map(idIn))).toEqual(new Set(["t1"]));
    const task = await runtime.service.getTask({ id: "t1" }, oldCall);
    expect(artifactText(task)).toBe("Hello Ann");
  });

  it("shares no id with another", async () => {
    await using runtime = await openTestRuntime({
      run: ({ text, caller }) => `${caller?.subject}: ${text}`,
    });
    const others = [
      oldCall,
      callBy("bob", { version: "0.1" }),
      callBy("ann", { version: "0.1", tenant: "acme" }),
      call({ version: "0.1" }),
    ];
    for (const [index, other] of others.entries()) {
      expect(await refusalCode(runtime.service.getTask({ id: "t1" }, other))).toBe(
        "TASK_NOT_FOUND",
      );
      await runtime.service.sendMessage(say(`${index}`, { taskId: "t1" }), other);
    }
    const texts = others.map(async (other) =>
      artifactText(await runtime.service.getTask({ id: "t1" }, other)),
    );
    expect(await Promise.all(texts)).toEqual(["ann: 0", "bob: 1", "ann: 2", "undefined: 3"]);
  });

  it("begins one task with messages that arrive at once", async () => {
    let atWork = 0;
    let most = 0;
    await using runtime = await openTestRuntime({
      run: async function* ({ text }) {
        most = Math.max(most, (atWork += 1));
        yield text;
        await settle();
        atWork -= 1;
      },
    });
    const texts = ["a", "b", "c", "d"];
    const sends = texts.map((text) =>
      runtime.service.sendMessage(say(text, { taskId: "t1" }), oldCall),
    );
    await Promise.all(sends);
    const task = await runtime.service.getTask({ id: "t1" }, oldCall);
    expect(task.artifacts?.map(({ parts }) => textIn(parts)).toSorted()).toEqual(texts);
    expect(most).toBe(1);
    const { totalSize } = await runtime.service.listTasks({}, oldCall);
    expect(totalSize).toBe(1);
  });
});

describe("a task asked for by the id of a message", () => {
  it.each(["0.1", "0.2", "0.3"] as const)("is found in version %s", async (version) => {
    await using runtime = await openTestRuntime({
      run: async function* () {
        yield "x";
      },
    });
    const ann = callBy("ann", { version });
    const { id } = taskOf(
      await runtime.service.sendMessage(say("go", { messageId: "m1" }), callBy("ann")),
    );
    expect((await runtime.service.getTask({ id: "m1" }, ann)).id).toBe(id);
    expect(
      await refusalCode(runtime.service.getTask({ id: "m1" }, callBy("bob", { version }))),
    ).toBe("TASK_NOT_FOUND");
  });

  it("is not found in version 1.0", async () => {
    await using runtime = await openTestRuntime({
      run: async function* () {
        yield "x";
      },
    });
    await runtime.service.sendMessage(say("go", { messageId: "m1" }), call());
    expect(await refusalCode(runtime.service.getTask({ id: "m1" }, call()))).toBe("TASK_NOT_FOUND");
  });
});
