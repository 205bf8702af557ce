import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { AgentCard, Message, StreamResponse } from "a2a-sdk-1.0";
import type { Task } from "a2a-sdk-1.0";
import { AgentEvent, DefaultRequestHandler, InMemoryTaskStore } from "a2a-sdk-1.0/server";
import { agentCardHandler, jsonRpcHandler, restHandler } from "a2a-sdk-1.0/server/express";
import {
  A2AExpressApp as App02,
  DefaultRequestHandler as Handler02,
  InMemoryTaskStore as Store02,
} from "a2a-sdk-0.2/server";
import {
  DefaultRequestHandler as Handler03,
  InMemoryTaskStore as Store03,
} from "a2a-sdk-0.3/server";
import {
  agentCardHandler as cardHandler03,
  jsonRpcHandler as jsonRpcHandler03,
  restHandler as restHandler03,
} from "a2a-sdk-0.3/server/express";
import { Server as GrpcServer, ServerCredentials } from "@grpc/grpc-js";
import { A2AService as GrpcService10, grpcService as grpcService10 } from "a2a-sdk-1.0/server/grpc";
import { A2AService as GrpcService03, grpcService as grpcService03 } from "a2a-sdk-0.3/server/grpc";
import express from "express";

/** Extended cards are for callers that are known; here everybody is. */
const userBuilder = async () => ({ isAuthenticated: true, userName: "ada" });

/** What the agents of the SDKs that have extended cards call themselves there. */
export const extendedSdkName = "An agent of an SDK, extended";

export interface SdkServer extends AsyncDisposable {
  readonly url: string;
  /** Where gRPC is served, as `host:port`. */
  readonly grpcAddress?: string;
}

/** A gRPC server of an SDK on a free port. */
async function listenGrpc(add: (server: GrpcServer) => void): Promise<GrpcServing> {
  const server = new GrpcServer();
  add(server);
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    ),
  );
  return { address: `127.0.0.1:${port}`, close: () => server.forceShutdown() };
}

interface GrpcServing {
  readonly address: string;
  close(): void;
}

/** What an agent does, told in the words that every SDK has in some form. */
interface Stage {
  readonly text: string;
  readonly isFirst: boolean;
  readonly isCanceled: () => boolean;
  message(text: string): void;
  task(): void;
  status(state: "working" | "input-required" | "completed" | "canceled", text?: string): void;
  artifact(text: string, append: boolean): void;
}

/** `echo …`: a message. `stream N MS`: an artifact in chunks. `ask`: a question. `wait`: until canceled. */
async function perform(stage: Stage): Promise<void> {
  const [word = "", ...rest] = stage.text.split(" ");
  if (word === "echo") {
    stage.message(rest.join(" "));
    return;
  }
  if (stage.isFirst) stage.task();
  stage.status("working");
  if (word === "ask") {
    stage.status("input-required", "What is your name?");
    return;
  }
  if (word === "wait") {
    while (!stage.isCanceled()) await sleep(5);
    stage.status("canceled");
    return;
  }
  const [count, pauseMs] = word === "stream" ? rest.map(Number) : [0, 0];
  for (let chunk = 1; chunk <= (count ?? 0); chunk += 1) {
    await sleep(pauseMs);
    stage.artifact(`chunk ${chunk} `, chunk > 1);
  }
  if (word !== "stream") stage.artifact(`You said: ${stage.text}`, false);
  stage.status("completed");
}

async function listen(
  create: (url: () => string) => (app: express.Express) => void,
  app: express.Express,
  grpc?: GrpcServing,
): Promise<SdkServer> {
  let url = "";
  create(() => url)(app);
  const server: Server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    ...(grpc !== undefined && { grpcAddress: grpc.address }),
    async [Symbol.asyncDispose]() {
      grpc?.close();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** A server of the official SDK 1.3.0: JSON-RPC, REST and gRPC, all in 1.0. */
export async function openSdk10(): Promise<SdkServer> {
  const canceled = new Set<string>();
  const cardOf = (url: string, grpcAddress: string): AgentCard =>
    AgentCard.fromJSON({
      name: "SDK 1.0",
      description: "Answers for tests",
      version: "1",
      supportedInterfaces: [
        { url: `${url}/rpc`, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
        { url: `${url}/rest`, protocolBinding: "HTTP+JSON", protocolVersion: "1.0" },
        { url: grpcAddress, protocolBinding: "GRPC", protocolVersion: "1.0" },
      ],
      capabilities: { streaming: true, pushNotifications: true, extendedAgentCard: true },
      defaultInputModes: ["text/plain"],
      defaultOutputModes: ["text/plain"],
      skills: [],
    });
  const executor = {
    async execute(
      {
        userMessage,
        taskId,
        contextId,
        task,
      }: { userMessage: Message; taskId: string; contextId: string; task?: Task },
      bus: { publish(event: ReturnType<typeof AgentEvent.message>): void; finished(): void },
    ) {
      const publish = (json: object): void => {
        const { payload } = StreamResponse.fromJSON(json);
        if (payload?.$case === "task") bus.publish(AgentEvent.task(payload.value) as never);
        if (payload?.$case === "message") bus.publish(AgentEvent.message(payload.value));
        if (payload?.$case === "statusUpdate")
          bus.publish(AgentEvent.statusUpdate(payload.value) as never);
        if (payload?.$case === "artifactUpdate")
          bus.publish(AgentEvent.artifactUpdate(payload.value) as never);
      };
      const say = (text: string): object => ({
        messageId: randomUUID(),
        role: "ROLE_AGENT",
        parts: [{ text }],
        contextId,
      });
      const ids = { taskId, contextId };
      const text = userMessage.parts
        .map(({ content }) => (content?.$case === "text" ? content.value : ""))
        .join("");
      await perform({
        text,
        // Every stream of this SDK has to begin with a task.
        isFirst: true,
        isCanceled: () => canceled.has(taskId),
        message: (reply) => publish({ message: say(reply) }),
        task: () =>
          publish({
            task: {
              id: taskId,
              contextId,
              status: { state: "TASK_STATE_SUBMITTED" },
              history: [...(task?.history ?? []), userMessage].map((one) => Message.toJSON(one)),
            },
          }),
        status: (state, reply) =>
          publish({
            statusUpdate: {
              ...ids,
              status: {
                state: `TASK_STATE_${state.toUpperCase().replace("-", "_")}`,
                timestamp: new Date().toISOString(),
                ...(reply !== undefined && { message: say(reply) }),
              },
            },
          }),
        artifact: (chunk, append) =>
          publish({
            artifactUpdate: {
              ...ids,
              artifact: { artifactId: "answer", parts: [{ text: chunk }] },
              append,
            },
          }),
      });
      bus.finished();
    },
    async cancelTask(taskId: string) {
      canceled.add(taskId);
    },
  };
  const plainCard = cardOf("http://127.0.0.1", "127.0.0.1:0");
  const requestHandler = new DefaultRequestHandler(
    plainCard,
    new InMemoryTaskStore(),
    executor as never,
    undefined,
    undefined,
    undefined,
    { ...plainCard, name: extendedSdkName },
  );
  const grpc = await listenGrpc((server) =>
    server.addService(GrpcService10, grpcService10({ requestHandler, userBuilder }) as never),
  );
  return listen(
    (url) => (app) => {
      app.use(
        "/.well-known/agent-card.json",
        agentCardHandler({ agentCardProvider: async () => cardOf(url(), grpc.address) }),
      );
      app.use("/rpc", jsonRpcHandler({ requestHandler, userBuilder }));
      app.use("/rest", restHandler({ requestHandler, userBuilder }));
    },
    express(),
    grpc,
  );
}

interface OldContext {
  readonly userMessage: {
    readonly parts: readonly { readonly kind: string; readonly text?: string }[];
  };
  readonly taskId: string;
  readonly contextId: string;
  readonly task?: object;
}

/** The executor of both older SDKs, whose events have the form of the wire. */
function oldExecutor() {
  const canceled = new Set<string>();
  return {
    async execute(context: OldContext, bus: { publish(event: never): void; finished(): void }) {
      const { userMessage, taskId, contextId, task } = context;
      const publish = (event: object): void => bus.publish(event as never);
      const say = (text: string): object => ({
        kind: "message",
        messageId: randomUUID(),
        role: "agent",
        parts: [{ kind: "text", text }],
        contextId,
      });
      const ids = { taskId, contextId };
      await perform({
        text: userMessage.parts.map((part) => part.text ?? "").join(""),
        isFirst: task === undefined,
        isCanceled: () => canceled.has(taskId),
        message: (text) => publish(say(text)),
        task: () =>
          publish({
            kind: "task",
            id: taskId,
            contextId,
            status: { state: "submitted" },
            history: [userMessage],
          }),
        status: (state, text) =>
          publish({
            kind: "status-update",
            ...ids,
            status: {
              state,
              timestamp: new Date().toISOString(),
              ...(text !== undefined && { message: say(text) }),
            },
            final: state !== "working",
          }),
        artifact: (text, append) =>
          publish({
            kind: "artifact-update",
            ...ids,
            artifact: { artifactId: "answer", parts: [{ kind: "text", text }] },
            append,
          }),
      });
      bus.finished();
    },
    async cancelTask(taskId: string) {
      canceled.add(taskId);
    },
  };
}

function oldCardOf(url: string, more: object): never {
  return {
    name: "An older SDK",
    description: "Answers for tests",
    version: "1",
    url,
    capabilities: { streaming: true, pushNotifications: true },
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
    skills: [],
    ...more,
  } as never;
}

/** A server of the official SDK 0.3.14: JSON-RPC, REST and gRPC. */
export async function openSdk03(): Promise<SdkServer> {
  const cardOf = (url: string, grpcAddress: string): never =>
    oldCardOf(`${url}/rpc`, {
      protocolVersion: "0.3.0",
      supportsAuthenticatedExtendedCard: true,
      preferredTransport: "JSONRPC",
      additionalInterfaces: [
        { url: `${url}/rpc`, transport: "JSONRPC" },
        { url: `${url}/rest`, transport: "HTTP+JSON" },
        { url: grpcAddress, transport: "GRPC" },
      ],
    });
  const plainCard: object = cardOf("http://127.0.0.1", "127.0.0.1:0");
  const requestHandler = new Handler03(
    plainCard as never,
    new Store03(),
    oldExecutor() as never,
    undefined,
    undefined,
    undefined,
    { ...plainCard, name: extendedSdkName } as never,
  );
  const grpc = await listenGrpc((server) =>
    server.addService(GrpcService03, grpcService03({ requestHandler, userBuilder }) as never),
  );
  return listen(
    (url) => (app) => {
      app.use(
        "/.well-known/agent-card.json",
        cardHandler03({ agentCardProvider: async () => cardOf(url(), grpc.address) }),
      );
      app.use("/rpc", jsonRpcHandler03({ requestHandler, userBuilder }));
      app.use("/rest", restHandler03({ requestHandler, userBuilder }));
    },
    express(),
    grpc,
  );
}

/** A server of the official SDK 0.2.5: JSON-RPC, with the Express 4 it brings along. */
export async function openSdk02(): Promise<SdkServer> {
  const require = createRequire(import.meta.resolve("a2a-sdk-0.2/server"));
  const express4 = require("express") as typeof express;
  const card: { url: string } = oldCardOf("http://127.0.0.1", { protocolVersion: "0.2.5" });
  const server = await listen(
    () => (app) => {
      const handler = new Handler02(card as never, new Store02(), oldExecutor() as never);
      new App02(handler).setupRoutes(app as never, "");
    },
    express4(),
  );
  card.url = server.url;
  return server;
}
