import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { A2AError, agent, createService, statusDetailsUri } from "@parley/a2a";
import type { Task, TaskState } from "@parley/a2a";
import { connect } from "@parley/a2a/client";
import type { AgentEvent } from "@parley/a2a/client";
import type { Server } from "@parley/a2a/node";
import { openServer } from "../support/servers/open-server.js";
import { ManualTimers } from "../support/time/manual-timers.js";
import { bareCard } from "./bare-card.js";
import { connectOver, interfaces, readAll } from "./open-agent.js";

let server: Server;
beforeAll(async () => {
  server = await openServer({
    grpc: { port: 0 },
    agent: agent({
      name: "Counting",
      description: "Says how far it is",
      async *run({ ask }) {
        yield { status: "Begun" };
        yield { status: "A quarter", progress: 0.25 };
        yield { status: "Half", progress: 0.5 };
        await ask("Shall I go on?");
        yield "done";
      },
    }),
  });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

/** The progress that events tell, where they tell any. */
function progressIn(events: readonly AgentEvent[]): readonly number[] {
  return events.flatMap((event) =>
    (event.kind === "status" || event.kind === "task") && event.progress !== undefined
      ? [event.progress]
      : [],
  );
}

describe.each(interfaces)("over %s in version %s", (...way) => {
  it("shows how far the agent is as a number on the events of a stream", async () => {
    const { url, grpcAddress } = server;
    const remote = await connectOver(url, way, { grpcAddress });
    const { events } = await readAll(remote.stream("go", { onInputRequired: () => "yes" }));
    expect(progressIn(events)).toEqual([0.25, 0.5]);
    const last = events.at(-1);
    expect(last).toMatchObject({ kind: "status", status: { state: "TASK_STATE_COMPLETED" } });
    expect(last).not.toHaveProperty("progress");
  });
});

function taskOf(state: TaskState, progress?: unknown): Task {
  const metadata = { metadata: { [statusDetailsUri]: { progress } as never } };
  return { id: "t", contextId: "c", status: { state }, ...(progress !== undefined && metadata) };
}

/** Connects to an agent that does not stream, and whose task is in these states, one after the other. */
function connectToPolled(first: Task, ...others: readonly Task[]) {
  const tasks = [...others];
  const timers = new ManualTimers().rush();
  return connect(bareCard("test:", "TEST"), {
    clock: timers,
    random: timers.random,
    transports: {
      TEST: () =>
        createService(
          async (operation) => {
            if (operation === "sendMessage") return { task: first } as never;
            return (tasks.length > 1 ? tasks.shift() : tasks[0]) as never;
          },
          () => {
            throw new A2AError("UNSUPPORTED_OPERATION", "not a stream");
          },
        ),
    },
  });
}

describe("a task that is polled", () => {
  it("shows its progress each time that it has moved", async () => {
    const remote = await connectToPolled(
      taskOf("TASK_STATE_WORKING"),
      taskOf("TASK_STATE_WORKING", 0.25),
      taskOf("TASK_STATE_WORKING", 0.25),
      taskOf("TASK_STATE_WORKING", 0.75),
      taskOf("TASK_STATE_WORKING"),
      taskOf("TASK_STATE_INPUT_REQUIRED", 0.75),
    );
    const { events } = await readAll(remote.stream("go"));
    expect(progressIn(events)).toEqual([0.25, 0.75, 0.75]);
    expect(events).toHaveLength(4);
  });

  it("shows no progress that is not a number", async () => {
    const remote = await connectToPolled(
      taskOf("TASK_STATE_WORKING", "half"),
      taskOf("TASK_STATE_WORKING", null),
      taskOf("TASK_STATE_COMPLETED", { of: 1 }),
    );
    const { events } = await readAll(remote.stream("go"));
    expect(progressIn(events)).toEqual([]);
  });

  it("shows its progress on the handle that began it", async () => {
    const remote = await connectToPolled(
      taskOf("TASK_STATE_WORKING"),
      taskOf("TASK_STATE_WORKING", 0.25),
      taskOf("TASK_STATE_WORKING", 0.75),
      taskOf("TASK_STATE_COMPLETED"),
    );
    const started = await remote.start("go");
    if (started.kind !== "task") throw new Error("expected a task");
    const seen = [started.progress];
    for await (const _ of started.events()) seen.push(started.progress);
    expect(seen).toEqual([undefined, 0.25, 0.75, undefined]);
  });
});
