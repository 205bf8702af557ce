import { openPostgresBus } from "@parley/a2a/bus/postgres";
import { median } from "../compare.js";
import { time } from "../measure.js";
import { call, openNode, openNodes, replaceMethod, send, text } from "./nodes.js";
import type { Node } from "./nodes.js";
import type { Row } from "./row.js";

const watchers = 2000;
const chunks = 200;
const rounds = 5;

/** 2,000 watchers of one task, on the node that works on it, and spread over three nodes. */
export async function measureWatchers(url: string): Promise<Row[]> {
  let reads = 0;
  let begin: () => void = () => undefined;
  const open = async (): Promise<Node> =>
    openNode({
      store: url,
      bus: await openPostgresBus({ url }),
      async *run() {
        yield "begun";
        await new Promise<void>((resolve) => (begin = resolve));
        for (let sent = 0; sent < chunks; sent += 1) {
          yield text;
          await new Promise<void>((resolve) => setImmediate(resolve));
        }
      },
      spy: (store) =>
        replaceMethod(store, "read", (...given) => {
          reads += 1;
          return store.read(...given);
        }),
    });
  await using opened = await openNodes(3, open);
  const nodes = opened.nodes as [Node, Node, Node];
  const watch = async (watching: readonly Node[]): Promise<number> => {
    const [{ runtime: working }] = nodes;
    const { id } = await send(working, "watch", { configuration: { returnImmediately: true } });
    let arrived = 0;
    let haveArrived: () => void = () => undefined;
    const all = new Promise<void>((resolve) => (haveArrived = resolve));
    const streams = Array.from({ length: watchers }, async (_, number) => {
      const node = watching[number % watching.length];
      let seen = 0;
      for await (const { response } of node?.runtime.subscribeToTask({ id }, call) ?? []) {
        if (response.task !== undefined && (arrived += 1) === watchers) haveArrived();
        seen += 1;
      }
      if (seen < chunks) throw new Error(`a watcher saw ${seen} events`);
    });
    await all;
    reads = 0;
    return time(async () => {
      begin();
      await Promise.all(streams);
    });
  };
  const times: { one: number; three: number; reads: number }[] = [];
  for (let turn = -1; turn < rounds; turn += 1) {
    const one = await watch(nodes.slice(0, 1));
    const three = await watch(nodes);
    if (turn >= 0) times.push({ one, three, reads });
  }
  const medianOf = (key: "one" | "three" | "reads"): number =>
    median(times.map((found) => found[key]));
  return [
    {
      name: "2,000 watchers of one task on three nodes / on one",
      value: median(times.map(({ one, three }) => three / one)),
      unit: "×",
      atMost: 1.3,
      note: `${medianOf("three").toFixed(0)} ms, one node ${medianOf("one").toFixed(0)} ms, 200 chunks`,
    },
    {
      name: "reads of the log for each event, 2,000 watchers on three nodes",
      value: medianOf("reads") / chunks,
      unit: "",
      atMost: 3,
    },
  ];
}
