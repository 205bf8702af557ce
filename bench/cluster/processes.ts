import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** What a parent asks of a node. */
export type Order =
  | { readonly workMs: number; readonly lanes: number }
  /** Begin as many runs that do not end, and wait or stream. */
  | { readonly runs: number; readonly words: "stay" | "stream" };

/** What a node tells its parent. */
export type Answer =
  | { readonly isReady: true }
  | { readonly done: number }
  /** The tasks of runs that do not end are stored. */
  | { readonly placed: readonly string[] }
  /** A run that waits has begun. */
  | { readonly begun: string };

/** A node in a process of its own. */
export interface NodeProcess {
  order(order: Order): void;
  /** Is called for everything that the node tells from now on. One listener takes the place of the other. */
  hear(listen: (answer: Answer) => void): void;
  kill(): Promise<void>;
}

async function startNode(url: string): Promise<NodeProcess> {
  const child = fork(fileURLToPath(new URL("node.js", import.meta.url)), [url]);
  await once(child, "message");
  let heard: (answer: Answer) => void = () => undefined;
  child.on("message", (answer) => heard(answer as Answer));
  return {
    order: (order) => void child.send(order),
    hear: (listen) => void (heard = listen),
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
    },
  };
}

/** Starts nodes and ends them when the work is done. */
export async function withNodes<Result>(
  url: string,
  count: number,
  work: (nodes: readonly NodeProcess[]) => Promise<Result>,
): Promise<Result> {
  const nodes: NodeProcess[] = [];
  try {
    // One after the other: the first makes the tables.
    for (let number = 0; number < count; number += 1) nodes.push(await startNode(url));
    return await work(nodes);
  } finally {
    await Promise.all(nodes.map((node) => node.kill()));
  }
}
