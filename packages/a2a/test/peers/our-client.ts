/** What our client does with a server of a peer, operation by operation. */
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { A2AError } from "@parley/a2a";
import type { ErrorCode, Part, Task } from "@parley/a2a";
import { connect } from "@parley/a2a/client";
import type { AgentEvent, RemoteAgent } from "@parley/a2a/client";
import { grpcTransports } from "@parley/a2a/grpc";
import { within } from "./child.js";
import { EventLog } from "./event-log.js";
import { described, files } from "./files.js";
import type { LocalHost, Notification } from "./local-host.js";
import type { Operation } from "./operations.js";
import type { PeerInterface } from "./peers.js";
import { stateAfter, textIn, textOfEvents } from "./told.js";
import type { PeerEvent, PeerTask, SentPart } from "./told.js";

export interface Called {
  /** The agent of the peer, by way of proxies that can be cut. */
  readonly url: string;
  readonly withoutPush: string;
  readonly binding: PeerInterface["binding"];
  readonly version: PeerInterface["version"];
  /** Whether the server lists and removes push configurations. */
  readonly listsPush: boolean;
  readonly host: LocalHost;
  cut(): void;
}

/** Short, as a server on this machine is never silent for long unless it has nothing to say. */
const patience = { pollMs: 50, maxReconnects: 6, stallMs: 3000 };

async function open({ binding, version }: Called, url: string): Promise<RemoteAgent> {
  // The SDKs of 0.3 in Python and Go have base64 text in the bytes of files.
  const fileBytes = { fileBytes: "base64" } as const;
  const agent = await connect(url, {
    bindings: [binding],
    versions: [version],
    transports: grpcTransports(fileBytes),
    ...fileBytes,
    patience,
  });
  assert.deepEqual([agent.binding, agent.version], [binding, version]);
  return agent;
}

const tellState = (state: string): string =>
  state.replace("TASK_STATE_", "").replaceAll("_", "-").toLowerCase();

function tellPart({ text, raw, url = "", mediaType = "", filename: name = "" }: Part): SentPart {
  if (text !== undefined) return { text };
  return raw === undefined ? { url, mediaType, name } : { bytes: raw, mediaType, name };
}

const tellParts = (parts: readonly Part[] = []): readonly SentPart[] => parts.map(tellPart);

const tellTask = ({ id, contextId, status, artifacts = [], history = [] }: Task): PeerTask => ({
  kind: "task",
  id,
  contextId: contextId ?? "",
  state: tellState(status.state),
  said: tellParts(status.message?.parts),
  parts: artifacts.flatMap(({ parts }) => tellParts(parts)),
  history: history.map(({ parts }) => tellParts(parts)),
});

function tellEvent(event: AgentEvent): PeerEvent {
  switch (event.kind) {
    case "task":
      return tellTask(event.task);
    case "message":
      return { kind: "message", parts: tellParts(event.message.parts) };
    case "status": {
      const said = tellParts(event.status.message?.parts);
      return { kind: "status", id: event.taskId, state: tellState(event.status.state), said };
    }
    case "artifact": {
      const parts = tellParts(event.artifact.parts);
      return { kind: "artifact", id: event.taskId, parts, append: event.append === true };
    }
  }
}

/** Reads a stream to its end. */
function follow(stream: AsyncIterable<AgentEvent>): EventLog {
  const log = new EventLog();
  const read = async (): Promise<void> => {
    for await (const event of stream) log.push(tellEvent(event));
  };
  read().then(
    () => log.end(),
    (error: unknown) => log.end(error),
  );
  return log;
}

/** Starts a task that waits at a gate after two chunks. */
async function hold(called: Called) {
  const agent = await open(called, called.url);
  const gate = called.host.gate();
  const stream = follow(agent.stream(`hold ${gate.url}`));
  await stream.until((events) => textOfEvents(events) === "one two ");
  const taskId = stream.events.map((event) => ("id" in event ? event.id : undefined)).find(Boolean);
  assert.ok(taskId !== undefined);
  return { agent, gate, stream, taskId };
}

async function sent(agent: RemoteAgent, content: string): Promise<PeerTask> {
  const { task } = await agent.send(content);
  assert.ok(task !== undefined, "expected a task, got a message");
  return tellTask(task);
}

async function throwTyped(code: ErrorCode, ...calls: readonly (() => Promise<unknown>)[]) {
  for (const call of calls) {
    const error = await call().then(
      (value) => assert.fail(`expected ${code}, got no error but ${JSON.stringify(value)}`),
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof A2AError)) throw error;
    assert.equal(error.code, code, `expected ${code}, got ${error.code}: ${error.message}`);
  }
}

const sentFiles = files.map((file): Part => {
  if ("text" in file) return file;
  const { mediaType, name: filename } = file;
  return "url" in file
    ? { url: file.url, mediaType, filename }
    : { raw: file.bytes, mediaType, filename };
});

export const ourClient: Readonly<Record<Operation, (called: Called) => Promise<void>>> = {
  async card(called) {
    const { card } = await open(called, called.url);
    assert.equal(card.name, "Actor");
    assert.equal(card.capabilities.streaming, true);
    assert.deepEqual(
      card.skills.map(({ id }) => id),
      ["act"],
    );
  },
  async send(called) {
    const agent = await open(called, called.url);
    const task = await sent(agent, "echo hi");
    assert.equal(task.state, "completed");
    assert.equal(textIn(task.parts), "echo: hi");
    const { message } = await agent.send("say hello");
    assert.equal(textIn(tellParts(message?.parts)), "hello");
  },
  async stream(called) {
    const { gate, stream } = await hold(called);
    gate.open();
    const events = await stream.all();
    assert.equal(textOfEvents(events), "one two three");
    assert.equal(stateAfter(events), "completed");
  },
  async "cut stream"(called) {
    const { gate, stream } = await hold(called);
    called.cut();
    gate.open();
    const events = await stream.all();
    assert.equal(textOfEvents(events), "one two three");
    assert.equal(stateAfter(events), "completed");
  },
  async get(called) {
    const { agent, gate, stream, taskId } = await hold(called);
    assert.equal(tellTask(await agent.task(taskId)).state, "working");
    gate.open();
    await stream.all();
    const task = tellTask(await agent.task(taskId));
    assert.equal(task.id, taskId);
    assert.equal(task.state, "completed");
    assert.equal(textIn(task.parts), "one two three");
    assert.match(textIn(task.history[0] ?? []), /^hold /u);
  },
  async list(called) {
    const agent = await open(called, called.url);
    const one = await sent(agent, "echo hi");
    const { task: two } = await agent.send("echo ho", { contextId: one.contextId });
    const tasks: PeerTask[] = [];
    const filter = { contextId: one.contextId, includeArtifacts: true };
    for await (const task of agent.tasks(filter)) tasks.push(tellTask(task));
    assert.deepEqual(tasks.map(({ id }) => id).toSorted(), [one.id, two?.id ?? ""].toSorted());
    assert.equal(textIn(tasks.find(({ id }) => id === two?.id)?.parts ?? []), "echo: ho");
  },
  async cancel(called) {
    const { agent, gate, stream, taskId } = await hold(called);
    assert.equal(tellTask(await agent.cancel(taskId)).state, "canceled");
    await within(10_000, "the end of a stream after a cancel", stream.ended);
    gate.open();
    assert.equal(stateAfter(stream.events), "canceled");
  },
  async subscribe(called) {
    const { agent, gate, stream, taskId } = await hold(called);
    const watcher = follow(agent.watch(taskId));
    // Some servers say nothing before the next event.
    const hears = watcher.until((events) => events.length > 0).catch(() => undefined);
    await Promise.race([hears, sleep(2000)]);
    gate.open();
    const events = await watcher.all();
    await stream.all();
    assert.equal(stateAfter(events), "completed");
    assert.equal(textOfEvents(events), "one two three");
  },
  async push(called) {
    const hook = called.host.webhook();
    const { agent, gate, stream, taskId } = await hold(called);
    const { service } = agent;
    const config = { taskId, id: "hook", url: hook.url, token: "secret" };
    const set = await service.createTaskPushNotificationConfig(config);
    assert.equal(set.url, hook.url);
    const id = set.id ?? "";
    const got = await service.getTaskPushNotificationConfig({ taskId, id });
    assert.equal(got.url, hook.url);
    gate.open();
    await stream.all();
    const isEnd = ({ body }: Notification): boolean => /completed/iu.test(body);
    await hook.until((received) => received.some(isEnd));
    const [first] = hook.received;
    assert.equal(first?.token, "secret");
    assert.ok(first.body.includes(taskId));
    if (!called.listsPush) return;
    const list = async () =>
      (await service.listTaskPushNotificationConfigs({ taskId })).configs ?? [];
    assert.deepEqual(
      (await list()).map(({ url }) => url),
      [hook.url],
    );
    await service.deleteTaskPushNotificationConfig({ taskId, id });
    assert.deepEqual(await list(), []);
  },
  async files(called) {
    const agent = await open(called, called.url);
    const { task } = await agent.send(["files", ...sentFiles]);
    assert.ok(task !== undefined);
    assert.deepEqual(tellTask(task).parts, [{ text: described }, ...files]);
  },
  async "multi-turn"(called) {
    const agent = await open(called, called.url);
    const asked = await sent(agent, "ask");
    assert.equal(asked.state, "input-required");
    assert.equal(textIn(asked.said), "Which colour?");
    const { id: taskId, contextId } = asked;
    const { task } = await agent.send("blue", { taskId, contextId });
    assert.ok(task !== undefined);
    assert.equal(task.id, taskId);
    assert.equal(tellTask(task).state, "completed");
    assert.equal(textIn(tellTask(task).parts), "You chose blue");
  },
  async "task not found"(called) {
    const agent = await open(called, called.url);
    const id = "00000000-0000-4000-8000-000000000000";
    await throwTyped(
      "TASK_NOT_FOUND",
      async () => agent.task(id),
      async () => agent.cancel(id),
      async () => follow(agent.watch(id)).all(),
    );
  },
  async "not cancelable"(called) {
    const agent = await open(called, called.url);
    const { id } = await sent(agent, "echo hi");
    await throwTyped("TASK_NOT_CANCELABLE", async () => agent.cancel(id));
  },
  async unsupported(called) {
    const { service, send } = await opened(called);
    const { id: taskId } = await send("echo hi");
    const config = { taskId, id: "hook", url: called.host.url };
    await throwTyped("PUSH_NOTIFICATION_NOT_SUPPORTED", async () =>
      service.createTaskPushNotificationConfig(config),
    );
  },
  async "invalid params"(called) {
    const { service } = await open(called, called.url);
    const message = { messageId: "m", role: "ROLE_USER", parts: [] } as const;
    await throwTyped("INVALID_PARAMS", async () => service.sendMessage({ message }));
  },
};

async function opened(called: Called) {
  const agent = await open(called, called.withoutPush);
  return { service: agent.service, send: async (text: string) => sent(agent, text) };
}
