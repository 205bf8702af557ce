/** What a peer's client does with a server of ours, operation by operation. */
import assert from "node:assert/strict";
import { within } from "./child.js";
import { openCuttingProxy } from "./cutting-proxy.js";
import { described, files } from "./files.js";
import type { LocalHost, Notification } from "./local-host.js";
import type { Operation } from "./operations.js";
import { PeerError } from "./peer-client.js";
import type { PeerClient, Target, Wish } from "./peer-client.js";
import { stateAfter, textIn, textOfEvents } from "./told.js";
import type { PeerEvent, PeerPush, PeerTask, SentPart } from "./told.js";

export interface Calling {
  readonly client: PeerClient;
  /** An agent that can do everything. */
  readonly target: Target;
  /** The same without push notifications. */
  readonly withoutPush: Target;
  readonly host: LocalHost;
}

const say = (text: string): Wish => ({ parts: [{ text }] });

function asTask(event: PeerEvent): PeerTask {
  assert.equal(event.kind, "task");
  return event as PeerTask;
}

/** Starts a task that waits at a gate after two chunks. */
async function hold({ client, target, host }: Calling) {
  const gate = host.gate();
  const stream = client.open("stream", target, say(`hold ${gate.url}`));
  await stream.until((events) => textOfEvents(events) === "one two ");
  return { gate, stream, taskId: idOf(stream.events) };
}

function idOf(events: readonly PeerEvent[]): string {
  for (const event of events) if ("id" in event) return event.id;
  throw new Error(`no event names a task: ${JSON.stringify(events)}`);
}

async function finished({ client, target }: Calling): Promise<PeerTask> {
  return asTask(await client.call("send", target, say("echo hi")));
}

/** The statuses that tell of an error where a peer has no types for errors, over HTTP and over gRPC. */
const statuses: Readonly<Record<string, readonly string[]>> = {
  "task-not-found": ["404", "NOT_FOUND"],
  "task-not-cancelable": ["400", "409", "FAILED_PRECONDITION", "UNIMPLEMENTED"],
  "push-notification-not-supported": ["400", "501", "FAILED_PRECONDITION", "UNIMPLEMENTED"],
  "invalid-params": ["400", "INVALID_ARGUMENT"],
};

/**
 * Checks that calls fail, each with the type that the peer has for this error, or with its status if the peer has no types.
 * Calls that the peer does not have are left out.
 */
async function throwTyped(
  word: string,
  ...calls: readonly (() => Promise<unknown>)[]
): Promise<void> {
  for (const call of calls) {
    const error = await call().then(
      (value) => assert.fail(`expected ${word}, got no error but ${JSON.stringify(value)}`),
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof PeerError)) throw error;
    if (error.word === "not offered") continue;
    const [, status] = error.word?.split("status ") ?? [];
    const isRight =
      error.word === word || (status !== undefined && statuses[word]?.includes(status));
    assert.ok(isRight, `expected ${word}, got ${error.message}`);
  }
}

/** What the call gives, or nothing if the peer has no such operation. */
async function ifOffered<T>(call: Promise<T>): Promise<T | undefined> {
  return call.catch((error: unknown) => {
    if (error instanceof PeerError && error.word === "not offered") return undefined;
    throw error;
  });
}

export const theirClient: Readonly<Record<Operation, (calling: Calling) => Promise<void>>> = {
  async card({ client, target }) {
    const { name, answer } = await client.call("card", target, say("echo hi"));
    assert.equal(name, "Actor");
    assert.equal(textIn(asTask(answer).parts), "echo: hi");
  },
  async send(calling) {
    const task = await finished(calling);
    assert.equal(task.state, "completed");
    assert.equal(textIn(task.parts), "echo: hi");
    const direct = await calling.client.call("send", calling.target, say("say hello"));
    assert.equal(direct.kind, "message");
    assert.equal(textIn((direct as { parts: readonly SentPart[] }).parts), "hello");
  },
  async stream(calling) {
    const { gate, stream } = await hold(calling);
    gate.open();
    const events = await stream.all();
    assert.equal(textOfEvents(events), "one two three");
    assert.equal(stateAfter(events), "completed");
  },
  async "cut stream"(calling) {
    await using proxy = await openCuttingProxy();
    proxy.leadTo(calling.target.url);
    const url = calling.target.url.replace(/127\.0\.0\.1:\d+/u, proxy.address);
    const target = { ...calling.target, url };
    const { gate, stream, taskId } = await hold({ ...calling, target });
    proxy.cut();
    await stream.ended;
    const again = calling.client.open("subscribe", target, { taskId });
    await again.until((events) => events.length > 0);
    gate.open();
    const events = [...stream.events, ...(await again.all())];
    assert.equal(stateAfter(events), "completed");
    const task = await calling.client.call("get", target, { taskId });
    assert.equal(textIn(task.parts), "one two three");
  },
  async get(calling) {
    const { gate, stream, taskId } = await hold(calling);
    const working = await calling.client.call("get", calling.target, { taskId });
    assert.equal(working.state, "working");
    gate.open();
    await stream.all();
    const task = await calling.client.call("get", calling.target, { taskId });
    assert.equal(task.id, taskId);
    assert.equal(task.state, "completed");
    assert.equal(textIn(task.parts), "one two three");
    assert.match(textIn(task.history[0] ?? []), /^hold /u);
  },
  async list(calling) {
    const one = await finished(calling);
    const two = asTask(
      await calling.client.call("send", calling.target, {
        ...say("echo ho"),
        contextId: one.contextId,
      }),
    );
    const { tasks } = await calling.client.call("list", calling.target, {
      contextId: one.contextId,
    });
    assert.deepEqual(tasks.map(({ id }) => id).toSorted(), [one.id, two.id].toSorted());
    assert.equal(textIn(tasks.find(({ id }) => id === two.id)?.parts ?? []), "echo: ho");
  },
  async cancel(calling) {
    const { stream, taskId } = await hold(calling);
    const task = await calling.client.call("cancel", calling.target, { taskId });
    assert.equal(task.state, "canceled");
    await within(10_000, "the end of a stream after a cancel", stream.ended);
    assert.equal(stateAfter(stream.events), "canceled");
  },
  async subscribe(calling) {
    const { gate, stream, taskId } = await hold(calling);
    const watcher = calling.client.open("subscribe", calling.target, { taskId });
    await watcher.until((events) => events.length > 0);
    gate.open();
    const events = await watcher.all();
    await stream.all();
    assert.equal(stateAfter(events), "completed");
  },
  async push(calling) {
    const { client, target, host } = calling;
    const hook = host.webhook();
    const { gate, stream, taskId } = await hold(calling);
    const push = { id: "hook", url: hook.url, token: "secret" };
    const set = await client.call("setPush", target, { taskId, push });
    assert.equal(set.url, hook.url);
    const pushId = set.id;
    const got = await client.call("getPush", target, { taskId, pushId });
    assert.equal(got.url, hook.url);
    const all = await ifOffered(client.call("listPush", target, { taskId }));
    if (all !== undefined) assert.deepEqual(urls(all), [hook.url]);
    gate.open();
    await stream.all();
    const isEnd = ({ body }: Notification): boolean => /completed/iu.test(body);
    await hook.until((received) => received.some(isEnd));
    const [first] = hook.received;
    assert.equal(first?.token, "secret");
    assert.ok(first.body.includes(taskId));
    await ifOffered(client.call("deletePush", target, { taskId, pushId }));
    if (all !== undefined) assert.deepEqual(await client.call("listPush", target, { taskId }), []);
  },
  async files({ client, target }) {
    const wish = { parts: [{ text: "files" }, ...files] };
    const task = asTask(await client.call("send", target, wish));
    assert.deepEqual(task.parts, [{ text: described }, ...files]);
    const events = await client.open("stream", target, wish).all();
    const streamed = events.flatMap((event) => (event.kind === "artifact" ? event.parts : []));
    assert.deepEqual(streamed, [{ text: described }, ...files]);
  },
  async "multi-turn"({ client, target }) {
    const asked = asTask(await client.call("send", target, say("ask")));
    assert.equal(asked.state, "input-required");
    assert.equal(textIn(asked.said), "Which colour?");
    const { id: taskId, contextId } = asked;
    const done = asTask(await client.call("send", target, { ...say("blue"), taskId, contextId }));
    assert.equal(done.id, taskId);
    assert.equal(done.state, "completed");
    assert.equal(textIn(done.parts), "You chose blue");
  },
  async "task not found"({ client, target }) {
    const taskId = "00000000-0000-4000-8000-000000000000";
    await throwTyped(
      "task-not-found",
      async () => client.call("get", target, { taskId }),
      async () => client.call("cancel", target, { taskId }),
      async () => client.open("subscribe", target, { taskId }).all(),
    );
  },
  async "not cancelable"(calling) {
    const { client, target } = calling;
    const { id: taskId } = await finished(calling);
    await throwTyped("task-not-cancelable", async () => client.call("cancel", target, { taskId }));
  },
  async unsupported(calling) {
    const { client, withoutPush: target, host } = calling;
    const { id: taskId } = await finished({ ...calling, target });
    const push = { id: "hook", url: host.url, token: "secret" };
    await throwTyped("push-notification-not-supported", async () =>
      client.call("setPush", target, { taskId, push }),
    );
  },
  async "invalid params"({ client, target }) {
    await throwTyped(
      "invalid-params",
      async () => client.call("send", target, { parts: [] }),
      async () => client.open("stream", target, { parts: [] }).all(),
    );
  },
};

const urls = (configs: readonly PeerPush[]): readonly string[] => configs.map(({ url }) => url);
