import { randomUUID } from "node:crypto";
import type { Server } from "node:http";
import { setImmediate as immediate } from "node:timers/promises";
import { AgentCard, Message, Role, Task, TaskArtifactUpdateEvent, TaskState } from "a2a-sdk-1.0";
import { AgentEvent, DefaultRequestHandler, InMemoryTaskStore } from "a2a-sdk-1.0/server";
import type { AgentExecutor, ExecutionEventBus, TaskStore } from "a2a-sdk-1.0/server";
import { jsonRpcHandler, UserBuilder } from "a2a-sdk-1.0/server/express";
import express from "express";
import { chunk, Cue } from "./subjects/chunks.js";

/** Tells the SDK's agents that hold to go on. */
export const sdkCue: Cue = new Cue();

/** Serves the official SDK with Express, set up as in its documentation. */
export function listenSdk(requestHandler: DefaultRequestHandler): Server {
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

/**
 * `echo` answers with a message, `task` with a finished task, `await` with one after a turn of the event loop, `stream N` in
 * N chunks with a turn before each, `hold N` with a chunk, and N more when it is told to.
 */
const executor: AgentExecutor = {
  async execute({ userMessage, taskId, contextId }, bus) {
    const text = userMessage.parts.map(({ content }) => textOf(content)).join("");
    const [word = "", count = "1"] = text.split(" ");
    if (word === "echo") {
      const parts = [{ text }];
      const reply = { messageId: randomUUID(), role: Role.ROLE_AGENT, parts, contextId };
      bus.publish(AgentEvent.message(Message.fromJSON(reply)));
      bus.finished();
      return;
    }
    const teller = new Teller(bus, taskId, contextId);
    bus.publish(
      AgentEvent.task({
        ...Task.fromJSON({ id: taskId, contextId, status: { state: "TASK_STATE_SUBMITTED" } }),
        history: [userMessage],
      }),
    );
    teller.status(TaskState.TASK_STATE_WORKING);
    if (word === "await") await immediate();
    if (word !== "stream") teller.chunk();
    const isCounted = word === "stream" || word === "hold";
    for (let said = 0; isCounted && said < Number(count); said += 1) {
      if (word === "hold") await sdkCue.wait();
      else await immediate();
      teller.chunk();
    }
    teller.status(TaskState.TASK_STATE_COMPLETED);
    bus.finished();
  },
  async cancelTask() {},
};

/** Publishes the events of one task. */
class Teller {
  readonly #bus: ExecutionEventBus;
  readonly #ids: { readonly taskId: string; readonly contextId: string };
  #chunks = 0;

  constructor(bus: ExecutionEventBus, taskId: string, contextId: string) {
    this.#bus = bus;
    this.#ids = { taskId, contextId };
  }

  status(state: TaskState): void {
    const status = { state, message: undefined, timestamp: new Date().toISOString() };
    this.#bus.publish(AgentEvent.statusUpdate({ ...this.#ids, status, metadata: undefined }));
  }

  chunk(): void {
    const artifact = { artifactId: "answer", parts: [{ text: chunk }] };
    const append = this.#chunks > 0;
    this.#chunks += 1;
    this.#bus.publish(
      AgentEvent.artifactUpdate(
        TaskArtifactUpdateEvent.fromJSON({ ...this.#ids, artifact, append }),
      ),
    );
  }
}

function textOf(content: Message["parts"][number]["content"]): string {
  return content?.$case === "text" ? content.value : "";
}
