import { randomUUID } from "node:crypto";
import type { Server } from "node:http";
import { setImmediate as immediate } from "node:timers/promises";
import { AgentCard, Message, Role, Task, TaskArtifactUpdateEvent, TaskState } from "a2a-sdk-1.0";
import { AgentEvent, DefaultRequestHandler, InMemoryTaskStore } from "a2a-sdk-1.0/server";
import type { AgentExecutor, TaskStore } from "a2a-sdk-1.0/server";
import { jsonRpcHandler, UserBuilder } from "a2a-sdk-1.0/server/express";
import express from "express";

/** The official SDK with Express and its in-memory store, set up as in its documentation. */
export function createSdkServer(): Server {
  const requestHandler = createSdkHandler();
  const app = express();
  app.use(jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
  return app.listen(0, "127.0.0.1");
}

/** The official SDK's request handler, which every binding shares. */
export function createSdkHandler(
  store: TaskStore = new InMemoryTaskStore(),
): DefaultRequestHandler {
  const card = AgentCard.fromJSON({
    name: "bench",
    description: "Answers for the benchmark",
    version: "1.0.0",
    supportedInterfaces: [
      { url: "http://127.0.0.1/", protocolBinding: "JSONRPC", protocolVersion: "1.0" },
      { url: "127.0.0.1", protocolBinding: "GRPC", protocolVersion: "1.0" },
    ],
    capabilities: { streaming: true },
    defaultInputModes: ["text/plain", "application/json"],
    defaultOutputModes: ["text/plain"],
    skills: [],
  });
  return new DefaultRequestHandler(card, store, executor);
}

/** Does what the agent of bench/http-server.ts does. */
const executor: AgentExecutor = {
  async execute({ userMessage, taskId, contextId }, bus) {
    const text = userMessage.parts.map(({ content }) => textOf(content)).join("");
    const [word = "", count = "1"] = text.split(" ");
    if (word === "echo") {
      bus.publish(
        AgentEvent.message(
          Message.fromJSON({
            messageId: randomUUID(),
            role: Role.ROLE_AGENT,
            parts: [{ text }],
            contextId,
          }),
        ),
      );
      bus.finished();
      return;
    }
    const status = (state: TaskState): void =>
      bus.publish(
        AgentEvent.statusUpdate({
          taskId,
          contextId,
          status: { state, message: undefined, timestamp: new Date().toISOString() },
          metadata: undefined,
        }),
      );
    bus.publish(
      AgentEvent.task({
        ...Task.fromJSON({ id: taskId, contextId, status: { state: "TASK_STATE_SUBMITTED" } }),
        history: [userMessage],
      }),
    );
    status(TaskState.TASK_STATE_WORKING);
    const chunks = word === "stream" ? Number(count) : 1;
    for (let chunk = 0; chunk < chunks; chunk += 1) {
      if (word === "stream") await immediate();
      bus.publish(
        AgentEvent.artifactUpdate(
          TaskArtifactUpdateEvent.fromJSON({
            taskId,
            contextId,
            artifact: { artifactId: "answer", parts: [{ text: `chunk ${chunk} ` }] },
            append: chunk > 0,
          }),
        ),
      );
    }
    status(TaskState.TASK_STATE_COMPLETED);
    bus.finished();
  },
  async cancelTask() {},
};

function textOf(content: Message["parts"][number]["content"]): string {
  return content?.$case === "text" ? content.value : "";
}
