import { A2AError } from "../../../protocol/internal.js";
import type { StreamEvent } from "../../../protocol/internal.js";
import type { Runtime } from "../../../server/internal.js";
import type { ClusterNode } from "../cluster/cluster-node.js";
import type { Life } from "../cluster/life.js";
import type { Owner } from "../engine/scheduler.js";
import type { World } from "../world/world.js";

/** What a caller knows of its call. Refused: nothing was done. Unknown: it may have been done. */
export type Reply<T> =
  | { readonly outcome: "answered"; readonly value: T }
  | { readonly outcome: "refused" | "unknown"; readonly error: string };

/** What comes out of a stream. */
export type Streamed =
  | { readonly event: StreamEvent }
  /** The node has ended the stream, or refused it. */
  | { readonly end: "complete" | "refused"; readonly error?: string }
  /** The connection is gone, or the node is. */
  | { readonly end: "cut" };

/** One call of a caller to a node. */
interface Call {
  readonly caller: Owner;
  readonly key: string;
  readonly life: Life;
  readonly leave: AbortController;
}

/** How long callers wait for an answer, in microseconds. */
const callPatience = 8_000_000;

/** Errors after which nothing can have been done. */
const refusals = new Set([
  "TASK_NOT_FOUND",
  "TASK_NOT_CANCELABLE",
  "UNSUPPORTED_OPERATION",
  "INVALID_PARAMS",
  "RESOURCE_EXHAUSTED",
]);

/** What is between callers and nodes: a balancer in front of all nodes, and connections that break. */
export class Network {
  readonly #world: World;
  readonly #nodes: readonly ClusterNode[];

  constructor(world: World, nodes: readonly ClusterNode[]) {
    this.#world = world;
    this.#nodes = nodes;
  }

  /** Calls some node that is open. */
  call<T>(
    caller: Owner,
    key: string,
    invoke: (runtime: Runtime, signal: AbortSignal) => Promise<T>,
  ): Promise<Reply<T>> {
    return new Promise((resolve) => {
      const { scheduler, faults } = this.#world;
      const target = this.#pick(key);
      if (target === undefined) {
        const reply = { outcome: "refused", error: "no node answers" } as const;
        scheduler.after(200_000, caller, () => resolve(reply));
        return;
      }
      const { life, runtime } = target;
      const call: Call = { caller, key, life, leave: new AbortController() };
      let isOver = false;
      const settle = (reply: Reply<T>): void => {
        if (isOver) return;
        isOver = true;
        life.onGone.delete(cut);
        patience.run = undefined;
        scheduler.after(this.#way(call), caller, () => resolve(reply));
      };
      const cut = (): void => settle({ outcome: "unknown", error: "the connection broke" });
      const patience = scheduler.after(callPatience, undefined, () => {
        settle({ outcome: "unknown", error: "no answer in time" });
        this.#leave(call);
      });
      life.onGone.add(cut);
      scheduler.after(this.#way(call), life, () => {
        invoke(runtime, call.leave.signal).then(
          (value) => {
            const isLost = faults.hits("answer-lost", key);
            if (isLost) this.#world.taskFaulted("answer-lost", undefined);
            if (isLost) cut();
            else settle({ outcome: "answered", value });
          },
          (error: unknown) => settle(this.#failure(key, error)),
        );
      });
    });
  }

  /** Opens a stream at some node that is open. The caller is told everything in order. */
  stream(
    caller: Owner,
    key: string,
    {
      invoke,
      tell,
    }: {
      readonly invoke: (runtime: Runtime, signal: AbortSignal) => AsyncIterable<StreamEvent>;
      readonly tell: (streamed: Streamed) => void;
    },
  ): () => void {
    const { scheduler } = this.#world;
    const target = this.#pick(key);
    if (target === undefined) {
      scheduler.after(200_000, caller, () => tell({ end: "cut" }));
      return () => undefined;
    }
    const { life, runtime } = target;
    const call: Call = { caller, key, life, leave: new AbortController() };
    let isOver = false;
    let hasLeft = false;
    let lastAt = 0;
    const send = (streamed: Streamed): void => {
      if (isOver) return;
      isOver = "end" in streamed;
      if (isOver) life.onGone.delete(cut);
      // What is sent later does not arrive sooner.
      lastAt = Math.max(lastAt, scheduler.now + this.#way(call));
      scheduler.after(lastAt - scheduler.now, caller, () => {
        if (!hasLeft) tell(streamed);
      });
    };
    const cut = (): void => send({ end: "cut" });
    life.onGone.add(cut);
    scheduler.after(this.#way(call), life, () => {
      void this.#read(invoke(runtime, call.leave.signal), key, send);
    });
    return () => {
      hasLeft = true;
      if (isOver) return;
      isOver = true;
      life.onGone.delete(cut);
      this.#leave(call);
    };
  }

  async #read(
    events: AsyncIterable<StreamEvent>,
    key: string,
    send: (streamed: Streamed) => void,
  ): Promise<void> {
    try {
      for await (const event of events) send({ event });
      send({ end: "complete" });
    } catch (error) {
      const { outcome, error: reason } = this.#failure(key, error);
      send(outcome === "refused" ? { end: "refused", error: reason } : { end: "cut" });
    }
  }

  #failure(key: string, error: unknown): { outcome: "refused" | "unknown"; error: string } {
    const code = A2AError.is(error) ? error.code : "none";
    const reason = `${code}: ${error instanceof Error ? error.message : String(error)}`;
    this.#world.log(`call ${key} fails: ${reason}`);
    if (code === "INTERNAL" || code === "none") {
      const stack = error instanceof Error ? (error.stack ?? "") : "";
      this.#world.problem(`a call (${key}) failed with ${reason} ${stack}`);
    }
    return { outcome: refusals.has(code) ? "refused" : "unknown", error: reason };
  }

  /** The caller is gone: the node notices. */
  #leave(call: Call): void {
    const { leave, life } = call;
    this.#world.scheduler.after(this.#way(call), life, () => leave.abort());
  }

  #pick(key: string): ClusterNode["open"] {
    const nodes = this.#nodes;
    const first = this.#world.choices.choose(`${key}/node`, nodes.length);
    for (let index = 0; index < nodes.length; index += 1) {
      const open = nodes[(first + index) % nodes.length]?.open;
      if (open !== undefined) return open;
    }
    return undefined;
  }

  #way({ key }: Call): number {
    return this.#world.latency(`${key}/way`);
  }
}
