import { openPostgresBus } from "@parley/a2a/bus/postgres";
import { time } from "../measure.js";
import { call, openNode, openNodes, replaceMethod, send } from "./nodes.js";
import type { Node } from "./nodes.js";
import { withNodes } from "./processes.js";
import { percentile, round } from "./row.js";
import type { Row } from "./row.js";

const tasks = 20;
const followUps = 200;
const immediate = { returnImmediately: true };

/** Messages and cancels from two nodes for tasks that stream on a third one, which is a process of its own. */
export async function measureInterference(url: string): Promise<Row[]> {
  return withNodes(url, 1, async ([streaming]) => {
    const ids = await new Promise<readonly string[]>((resolve) => {
      streaming?.hear((answer) => {
        if ("placed" in answer) resolve(answer.placed);
      });
      streaming?.order({ runs: tasks, words: "stream" });
    });
    return interfere(url, ids);
  });
}

async function interfere(url: string, ids: readonly string[]): Promise<Row[]> {
  const triesOf = new Map<string, number>();
  const open = async (): Promise<Node> =>
    openNode({
      store: url,
      bus: await openPostgresBus({ url }),
      run: () => "done",
      durable: true,
      spy: (store) =>
        replaceMethod(store, "append", (append) => {
          for (const id of append.messageIds ?? []) triesOf.set(id, (triesOf.get(id) ?? 0) + 1);
          return store.append(append);
        }),
    });
  await using opened = await openNodes(2, open);
  const others = opened.nodes as [Node, Node];

  const messageIds = Array.from({ length: followUps }, () => crypto.randomUUID());
  await Promise.all(
    ids.map(async (taskId, task) => {
      for (let nth = task; nth < followUps; nth += tasks) {
        const { runtime } = others[nth % 40 < 20 ? 0 : 1];
        const messageId = messageIds[nth] ?? "";
        await send(runtime, "more", { taskId, messageId, configuration: immediate });
      }
    }),
  );
  const now = await Promise.all(ids.map((id) => others[0].runtime.getTask({ id }, call)));
  const found = now.flatMap(({ history = [] }) => history.map(({ messageId }) => messageId));
  const taken = messageIds.filter((id) => found.filter((other) => other === id).length === 1);
  const mostTries = Math.max(...messageIds.map((id) => triesOf.get(id) ?? 0));

  const times: number[] = [];
  let canceled = 0;
  for (const [nth, id] of ids.entries()) {
    const took = await time(async () => {
      const task = await others[nth % 2 === 0 ? 0 : 1].runtime.cancelTask({ id }, call);
      if (task.status.state === "TASK_STATE_CANCELED") canceled += 1;
    });
    times.push(took);
  }
  return [
    {
      name: "follow-ups from two nodes that stick while 20 tasks stream on a third",
      value: taken.length,
      unit: " of 200",
      atLeast: followUps,
    },
    { name: "tries of a follow-up, most", value: mostTries, unit: "", atMost: 2 },
    {
      name: "cancels from another node that stick while the tasks stream",
      value: canceled,
      unit: " of 20",
      atLeast: tasks,
    },
    {
      name: "a cancel from another node, slowest of 20",
      value: Math.max(...times),
      unit: " ms",
      atMost: 250,
      note: `p50 ${round(percentile(times, 0.5))} ms`,
    },
  ];
}
