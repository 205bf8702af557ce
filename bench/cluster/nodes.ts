import type { CallContext, SendMessageRequest, Task } from "@parley/a2a";
import type { Bus } from "@parley/a2a/bus";
import { agent, openRuntime } from "@parley/a2a/server";
import type { Handler, Runtime, RuntimeSettings } from "@parley/a2a/server";
import type { Store } from "@parley/a2a/store";
import { openPostgresStore } from "@parley/a2a/store/postgres";

export const call: CallContext = { version: "1.0" };
export const text: string = "x".repeat(100);

/** A runtime with connections of its own, as in a process of its own. */
export interface Node extends AsyncDisposable {
  readonly runtime: Runtime;
  readonly store: Store;
}

export interface NodeOptions {
  readonly store: Store | string;
  readonly bus?: Bus;
  readonly run: Handler;
  readonly durable?: boolean;
  readonly settings?: Partial<RuntimeSettings>;
  /** Looks at what the runtime asks of the store. */
  readonly spy?: (store: Store) => Store;
}

export async function openNode(options: NodeOptions): Promise<Node> {
  const { bus, run, durable = false, settings = {}, spy = (seen) => seen } = options;
  const store =
    typeof options.store === "string"
      ? await openPostgresStore({ url: options.store })
      : options.store;
  const runtime = await openRuntime({
    agent: agent({ name: "Bench", description: "Is measured", run, durable }),
    store: spy(store),
    settings,
    ...(bus && { bus }),
  });
  return {
    runtime,
    store,
    async [Symbol.asyncDispose]() {
      await runtime[Symbol.asyncDispose]();
      await bus?.close();
      await store.close();
    },
  };
}

/** Several nodes that close together. */
export interface Nodes extends AsyncDisposable {
  readonly nodes: readonly Node[];
}

/** Opens nodes one after the other: the first makes the tables. */
export async function openNodes(count: number, open: () => Promise<Node>): Promise<Nodes> {
  const nodes: Node[] = [];
  for (let number = 0; number < count; number += 1) nodes.push(await open());
  return {
    nodes,
    async [Symbol.asyncDispose]() {
      await Promise.all(nodes.map((node) => node[Symbol.asyncDispose]()));
    },
  };
}

export interface Sending {
  readonly taskId?: string;
  readonly messageId?: string;
  readonly configuration?: SendMessageRequest["configuration"];
}

export async function send(
  runtime: Runtime,
  words: string,
  { taskId, messageId = crypto.randomUUID(), configuration = {} }: Sending = {},
): Promise<Task> {
  const message = {
    messageId,
    role: "ROLE_USER",
    parts: [{ text: words }],
    ...(taskId !== undefined && { taskId }),
  } as const;
  const { task } = await runtime.sendMessage({ message, configuration }, call);
  if (task === undefined) throw new Error("the agent made no task");
  return task;
}

/** One lifecycle: the task is created, worked on and completed. */
export async function complete(runtime: Runtime): Promise<void> {
  const { status } = await send(runtime, "once");
  if (status.state !== "TASK_STATE_COMPLETED") throw new Error(`the task is ${status.state}`);
}

/** Repeats work in many lanes at once. */
export async function inLanes(
  lanes: number,
  times: number,
  work: () => Promise<void>,
): Promise<void> {
  const run = async (): Promise<void> => {
    for (let time = 0; time < times; time += 1) await work();
  };
  await Promise.all(Array.from({ length: lanes }, run));
}

/** The store, with one of its methods replaced. */
export function replaceMethod<Name extends "append" | "read">(
  store: Store,
  name: Name,
  method: Store[Name],
): Store {
  return new Proxy(store, {
    get(target, asked) {
      if (asked === name) return method;
      const member: unknown = Reflect.get(target, asked);
      return typeof member === "function" ? (member.bind(target) as unknown) : member;
    },
  });
}
