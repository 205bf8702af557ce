import { describe, expect, it } from "vitest";
import type { ErrorCode, StreamResponse, Task, TaskState } from "@parley/a2a";
import type { AgentEvent } from "@parley/a2a/client";
import { A2AError } from "../../../src/protocol/internal.js";
import { ManualTimers } from "../../support/time/manual-timers.js";
import { interfaces, readAll, statesOf } from "../open-agent.js";
import { openPeer } from "./open-peer.js";

const ids = { taskId: "t", contextId: "c" };

function taskOf(state: TaskState, text?: string): Task {
  const artifacts = text === undefined ? {} : { artifacts: [artifactOf(text)] };
  return { id: "t", contextId: "c", status: { state }, ...artifacts };
}

function artifactOf(text: string): { artifactId: string; parts: { text: string }[] } {
  return { artifactId: "artifact-0", parts: [{ text }] };
}

function chunk(text: string, append = true): StreamResponse {
  return { artifactUpdate: { ...ids, artifact: artifactOf(text), append } };
}

function status(state: TaskState, text?: string): StreamResponse {
  const said = text !== undefined && {
    message: { messageId: text, role: "ROLE_AGENT" as const, parts: [{ text }] },
  };
  return { statusUpdate: { ...ids, status: { state, ...said } } };
}

function withoutIds(events: readonly AgentEvent[]): unknown {
  const print = (name: string, value: unknown) => (name === "messageId" ? undefined : value);
  return JSON.parse(JSON.stringify(events, print));
}

const working: StreamResponse = { task: taskOf("TASK_STATE_WORKING") };
const done = taskOf("TASK_STATE_COMPLETED", "one two ");

/** How servers say that they do not stream a task that has ended. */
const refusals: readonly ErrorCode[] = ["UNSUPPORTED_OPERATION", "INVALID_PARAMS"];

function refuse(code: ErrorCode): () => never {
  return () => {
    throw new A2AError(code, "the task has ended");
  };
}

describe.each(interfaces)("over %s in version %s", (...chosen) => {
  it.each(refusals)("watch gets a task that the server refuses to stream: %s", async (code) => {
    await using peer = await openPeer(chosen, {
      subscribeToTask: refuse(code),
      getTask: () => done,
    });
    const { events, text } = await readAll(peer.agent.watch("t"));
    expect(statesOf(events)).toEqual(["COMPLETED"]);
    expect(text).toBe("one two ");
    expect(peer.asked).toEqual(["subscribeToTask", "getTask"]);
  });

  it("a stream that closes before the task has ended is followed by one look at the task", async () => {
    const timers = new ManualTimers();
    await using peer = await openPeer(
      chosen,
      {
        sendStreamingMessage: () => ({ events: [working, chunk("one ", false)] }),
        getTask: () => done,
      },
      { clock: timers },
    );
    const { events, text } = await readAll(peer.agent.stream("go"));
    expect(statesOf(events).at(-1)).toBe("COMPLETED");
    expect(text).toBe("one two ");
    expect(peer.asked).toEqual(["sendStreamingMessage", "getTask"]);
  });

  it("a subscription that closes before the task has ended is, too", async () => {
    const looks = [taskOf("TASK_STATE_WORKING"), done];
    await using peer = await openPeer(chosen, {
      subscribeToTask: () => ({ events: [working, chunk("one ", false)] }),
      getTask: () => (chosen[1] === "0.1" ? looks.shift() : done) ?? done,
    });
    const { events, text } = await readAll(peer.agent.watch("t"));
    expect(statesOf(events).at(-1)).toBe("COMPLETED");
    expect(text).toBe("one two ");
    expect(peer.asked.filter((one) => one === "subscribeToTask")).toHaveLength(1);
  });
});

describe.each(interfaces)("over %s in version %s", (...chosen) => {
  const updates: readonly StreamResponse[] = [
    status("TASK_STATE_WORKING", "reading"),
    chunk("one ", false),
    chunk("two "),
    status("TASK_STATE_WORKING", "writing"),
    chunk("two "),
    chunk("three "),
    status("TASK_STATE_COMPLETED", "done"),
  ];
  const submitted = taskOf("TASK_STATE_SUBMITTED");
  const ended = taskOf("TASK_STATE_COMPLETED", "one two two three ");

  it.each([
    ["with the task", [{ task: submitted }, ...updates]],
    ["with an update", updates],
    ["with the status that the task has", [status("TASK_STATE_SUBMITTED"), ...updates]],
  ])(
    "watch tells the same updates as stream, where a subscription begins %s",
    async (_, events) => {
      const looks: Task[] = events[0]?.task && chosen[1] !== "0.1" ? [] : [submitted];
      await using peer = await openPeer(chosen, {
        sendStreamingMessage: () => ({ events: [{ task: submitted }, ...updates] }),
        subscribeToTask: () => ({ events }),
        getTask: () => looks.shift() ?? ended,
      });
      const streamed = await readAll(peer.agent.stream("go"));
      const watched = await readAll(peer.agent.watch("t"));
      expect(streamed.text).toBe("one two two three ");
      expect(watched.text).toBe(streamed.text);
      // A stream of 0.1 begins with the status of the task, where others begin with the task. 0.1 has no message ids.
      expect(withoutIds(watched.events.slice(1))).toEqual(withoutIds(streamed.events.slice(1)));
    },
  );

  it("watch tells a task whose subscription has lost an event between the task and the first update", async () => {
    const looks: Task[] = chosen[1] === "0.1" ? [submitted] : [];
    await using peer = await openPeer(chosen, {
      subscribeToTask: () => ({ events: [{ task: submitted }, ...updates.toSpliced(2, 1)] }),
      getTask: () => looks.shift() ?? ended,
    });
    const { events, text } = await readAll(peer.agent.watch("t"));
    expect(text).toBe("one two two three ");
    expect(statesOf(events).at(-1)).toBe("COMPLETED");
  });

  it("watch tells a task once whose subscription repeats what is in the task", async () => {
    const half = taskOf("TASK_STATE_WORKING", "one two two ");
    const looks: Task[] = [half];
    await using peer = await openPeer(
      chosen,
      {
        subscribeToTask: () => ({ events: [{ task: half }, ...updates.slice(4)] }),
        getTask: () => looks.shift() ?? ended,
      },
      { patience: { pollMs: 1 } },
    );
    const { events, text } = await readAll(peer.agent.watch("t"));
    expect(text).toBe("one two two three ");
    expect(statesOf(events)).toEqual(["WORKING", "COMPLETED"]);
    expect(events.some((event) => event.kind === "artifact" && event.append !== true)).toBe(false);
  });

  it("a stream that goes on in a doubled subscription tells each chunk once", async () => {
    const half = taskOf("TASK_STATE_WORKING", "one two ");
    const end = taskOf("TASK_STATE_COMPLETED", "one two three ");
    const looks: Task[] = [half, half];
    const doubled = [chunk("three "), chunk("three "), status("TASK_STATE_COMPLETED")];
    await using peer = await openPeer(
      chosen,
      {
        sendStreamingMessage: () => ({ events: [{ task: submitted }, chunk("one two ", false)] }),
        subscribeToTask: () => ({ events: [{ task: half }, ...doubled] }),
        getTask: () => looks.shift() ?? end,
      },
      { patience: { pollMs: 1 } },
    );
    const { events, text } = await readAll(peer.agent.stream("go"));
    expect(text).toBe("one two three ");
    expect(statesOf(events).at(-1)).toBe("COMPLETED");
  });
});
