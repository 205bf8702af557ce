import { openSqliteStore } from "@parley/a2a/store/sqlite";
import { createInProcessBus } from "../../../src/bus/index.js";
import { isInterrupted, isTerminal } from "../../../src/protocol/internal.js";
import type { Task } from "../../../src/protocol/internal.js";
import type { Handler } from "../../../src/server/index.js";
import { createMemoryStore } from "../../../src/store/memory/index.js";
import type { Store } from "../../../src/store/index.js";
import { createTestClock } from "../../../src/testing/index.js";
import { openFolder } from "../../support/files/open-folder.js";
import { taskOf } from "../../support/runtime/answers.js";
import {
  call,
  openTestRuntime,
  say,
  sayAndLeave,
} from "../../support/runtime/open-test-runtime.js";
import type { TestRuntime } from "../../support/runtime/open-test-runtime.js";
import { settle, until } from "../../support/time/until.js";

const leaseMs = 8000;

export const never = (): Promise<never> => new Promise(() => undefined);

/** One store, and the nodes that are opened over it one after the other. */
export interface Stage extends AsyncDisposable {
  readonly store: Store;
  /** Opens a node that runs this code. */
  deploy(run: Handler, options?: { readonly durable?: boolean }): Promise<TestRuntime>;
  /** Kills a node, and lets its lease end. */
  kill(node: TestRuntime): Promise<void>;
}

export async function openStage(kind: "memory" | "SQLite"): Promise<Stage> {
  const folder = kind === "SQLite" ? await openFolder() : undefined;
  const clock = createTestClock();
  const store =
    folder === undefined
      ? createMemoryStore({ clock })
      : await openSqliteStore({ path: folder.file(), durability: "process", clock });
  const bus = createInProcessBus();
  const nodes: TestRuntime[] = [];
  return {
    store,
    async deploy(run, { durable = false } = {}) {
      const node = await openTestRuntime({
        run,
        durable,
        store,
        clock,
        bus,
        settings: { leaseMs },
      });
      nodes.push(node);
      return node;
    },
    async kill(node) {
      await settle();
      node.freeze();
      await clock.advance(leaseMs);
    },
    async [Symbol.asyncDispose]() {
      for (const node of nodes) await node[Symbol.asyncDispose]();
      await store.close();
      await folder?.[Symbol.asyncDispose]();
    },
  };
}

export async function begin({ service }: TestRuntime, text = "go"): Promise<string> {
  return taskOf(await service.sendMessage(sayAndLeave(text), call())).id;
}

export async function answer(
  { service }: TestRuntime,
  taskId: string,
  text: string,
): Promise<Task> {
  return taskOf(await service.sendMessage(say(text, { taskId }), call()));
}

/** The task once it waits for its caller, or has ended. */
export async function settled({ service }: TestRuntime, id: string): Promise<Task> {
  let task = await service.getTask({ id }, call());
  await until(async () => {
    task = await service.getTask({ id }, call());
    return isInterrupted(task.status.state) || isTerminal(task.status.state);
  }, `task ${id} to settle`);
  return task;
}
