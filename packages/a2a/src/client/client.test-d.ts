import { describe, expectTypeOf, it } from "vitest";
import type {
  A2AError,
  AgentService,
  Artifact,
  CallableService,
  CallContext,
  Message,
  Part,
  SendMessageRequest,
  SendMessageResponse,
  Task,
  TaskStatus,
} from "../protocol/internal.js";
import type { AgentEvent } from "./follow/conversation.js";
import type { Interceptor, Outgoing } from "./calls/interceptor.js";
import type { RemoteAgent } from "./remote-agent.js";
import type { TaskHandle } from "./task-handle.js";
import { TaskNotCompleted } from "./task-not-completed.js";

declare const agent: RemoteAgent;

describe("what a caller sees without casts", () => {
  it("narrows an event by its kind", async () => {
    for await (const event of agent.stream("hello")) {
      expectTypeOf(event).toEqualTypeOf<AgentEvent>();
      if (event.kind === "message") expectTypeOf(event.message).toEqualTypeOf<Message>();
      if (event.kind === "task") expectTypeOf(event.task).toEqualTypeOf<Task>();
      if (event.kind === "status") expectTypeOf(event.status).toEqualTypeOf<TaskStatus>();
      if (event.kind === "status") expectTypeOf(event.progress).toEqualTypeOf<number | undefined>();
      if (event.kind === "artifact") {
        expectTypeOf(event.artifact).toEqualTypeOf<Artifact>();
        expectTypeOf(event.append).toEqualTypeOf<boolean | undefined>();
      }
    }
  });

  it("narrows an answer by what is there", async () => {
    const sent = await agent.send(["hello", { data: { answer: 42 } }]);
    expectTypeOf(sent).toEqualTypeOf<SendMessageResponse>();
    if (sent.task !== undefined) expectTypeOf(sent.task).toEqualTypeOf<Task>();
    else expectTypeOf(sent.message).toEqualTypeOf<Message>();
  });

  it("tells a task that was started from a message", async () => {
    const started = await agent.start("hello");
    if (started.kind === "task") expectTypeOf(started).toEqualTypeOf<TaskHandle>();
    else expectTypeOf(started.message).toEqualTypeOf<Message>();
  });

  it("calls the operations without a context, while who implements them always gets one", async () => {
    expectTypeOf(await agent.service.getTask({ id: "t" })).toEqualTypeOf<Task>();
    expectTypeOf(agent.service).toExtend<AgentService>();
    expectTypeOf<AgentService>().not.toExtend<CallableService>();
    const implementing: Pick<AgentService, "getTask"> = {
      async getTask({ id }, call) {
        expectTypeOf(call).toEqualTypeOf<CallContext>();
        return { id, status: { state: "TASK_STATE_WORKING" } };
      },
    };
    // @ts-expect-error -- it was promised a context
    await implementing.getTask({ id: "t" });
  });

  it("narrows the error of a task that did not complete", async () => {
    const error: unknown = await agent.text("hello").catch((caught: unknown) => caught);
    if (TaskNotCompleted.is(error)) {
      expectTypeOf(error.task).toEqualTypeOf<Task>();
      expectTypeOf(error.text).toEqualTypeOf<string>();
      expectTypeOf(error).toExtend<A2AError>();
    }
  });

  it("takes text, parts and files", () => {
    expectTypeOf<string>().toExtend<Parameters<RemoteAgent["send"]>[0]>();
    expectTypeOf<readonly (string | Part | Blob)[]>().toExtend<
      Parameters<RemoteAgent["send"]>[0]
    >();
    expectTypeOf<{ bytes: Uint8Array<ArrayBuffer>; filename: string }>().toExtend<
      Parameters<RemoteAgent["send"]>[0]
    >();
    expectTypeOf<number>().not.toExtend<Parameters<RemoteAgent["send"]>[0]>();
  });

  it("narrows what an interceptor sees by its operation", () => {
    const interceptor: Interceptor = {
      before(outgoing) {
        if (outgoing.operation === "sendMessage") {
          expectTypeOf(outgoing).toEqualTypeOf<Outgoing<"sendMessage">>();
          expectTypeOf(outgoing.request).toEqualTypeOf<SendMessageRequest>();
        }
      },
      after(answer) {
        if (answer.operation === "getTask") expectTypeOf(answer.result).toEqualTypeOf<Task>();
      },
    };
    expectTypeOf(interceptor).toExtend<Interceptor>();
  });
});
