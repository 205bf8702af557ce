import { describe, expect, it } from "vitest";
import type { BusTopic } from "@parley/a2a/bus";
import { createMemoryStore } from "@parley/a2a/store/memory";
import type { NodeRecord, Store } from "@parley/a2a/store";
import { drainNodes, undrainNodes } from "./drain-nodes.js";
import { findNodes } from "./find-nodes.js";
import { readNodes } from "./node-status.js";
import { nodeTable } from "./node-table.js";

const info = { agent: "Echo", revision: "7", version: "0.1.0" };

function record(node: string, address?: string): NodeRecord {
  const rest = {
    slot: 0,
    leaseLeftMs: 0,
    isDraining: false,
    ...(address !== undefined && { address }),
  };
  return { ...info, node, ...rest };
}

/** A working task under a node. */
async function addTask(store: Store, taskId: string, node: string): Promise<void> {
  const at = Date.now();
  const timestamp = new Date(at).toISOString();
  const status = { state: "TASK_STATE_WORKING", timestamp } as const;
  await store.append({
    taskId,
    expectedSequence: 0,
    epoch: 1,
    create: {
      owner: { tenant: "", subject: "ann" },
      agent: "Echo",
      contextId: "c",
      createdIn: "1.0",
    },
    events: [{ kind: "task-created", taskId, contextId: "c", status }],
    status: { state: "TASK_STATE_WORKING", at },
    node,
  });
}

describe("the status of a cluster", () => {
  it("has a line for each node, with what it holds", async () => {
    await using store = createMemoryStore();
    await store.renewNode("node-a", 10_000, { ...info, address: "http://a:4100" });
    await store.renewNode("node-b", 10_000, { ...info, revision: "" });
    await addTask(store, "t1", "node-b");
    await store.setDraining("node-b", true);
    const nodes = await readNodes(store);
    expect(nodes).toMatchObject([
      { slot: 0, node: "node-a", isLive: true, isDraining: false, tasks: 0 },
      { slot: 1, node: "node-b", address: null, isDraining: true, tasks: 1 },
    ]);
    for (const { leaseLeftMs } of nodes) {
      expect(leaseLeftMs).toBeGreaterThan(0);
      expect(leaseLeftMs).toBeLessThanOrEqual(10_000);
    }
    const still = nodes.map((node) => ({ ...node, leaseLeftMs: 9400 }));
    expect(nodeTable(still)).toBe(
      [
        "SLOT  NODE    AGENT  REVISION  VERSION  ADDRESS        LEASE  DRAINING  TASKS",
        "0     node-a  Echo   7         0.1.0    http://a:4100  9.4s   no        0",
        "1     node-b  Echo   -         0.1.0    -              9.4s   yes       1",
        "",
      ].join("\n"),
    );
  });

  it("has leases by the store's time, whatever this machine's clock says", async () => {
    let now = 1000;
    await using store = createMemoryStore({ clock: { now: () => now } });
    await store.renewNode("node-a", 5000, info);
    await store.renewNode("node-b", 10_000, info);
    now += 7000;
    const nodes = await readNodes(store);
    expect(nodes).toMatchObject([
      { isLive: false, leaseLeftMs: 0 },
      { isLive: true, leaseLeftMs: 3000 },
    ]);
    expect(nodeTable(nodes)).toMatch(/over(.|\n)*3\.0s/);
  });

  it("shows nothing that would steer a terminal", async () => {
    await using store = createMemoryStore();
    await store.renewNode("node-a", 10_000, { ...info, agent: "Echo\u001b[2J\nNext" });
    const table = nodeTable(await readNodes(store));
    expect(table).toContain("Echo?[2J?Next");
    expect(table.split("\n")).toHaveLength(3);
  });
});

describe("an operator names", () => {
  const nodes = [
    record("0199aaaa-1", "http://pod-1:4100"),
    record("0199aaaa-2", "http://pod-1:4100"),
    record("0199bbbb-1", "http://10.0.0.7:4100"),
    record("0199", "http://pod-10:4100"),
  ];
  it.each([
    ["a node by its id", "0199aaaa-1", ["0199aaaa-1"]],
    ["a node by its id, though others begin so", "0199", ["0199"]],
    ["a node by the beginning of its id", "0199b", ["0199bbbb-1"]],
    ["a server by its host", "pod-1", ["0199aaaa-1", "0199aaaa-2"]],
    ["a server by host and port", "10.0.0.7:4100", ["0199bbbb-1"]],
    ["a server by its address", "http://pod-10:4100", ["0199"]],
  ])("%s", (_, name, found) => {
    expect(findNodes(nodes, name).map(({ node }) => node)).toEqual(found);
  });

  it.each([
    ["0199aaaa", "2 nodes begin with 0199aaaa; give the whole id of one"],
    ["019", "there is no node 019; parley cluster status lists the nodes"],
    ["pod-2", "there is no node pod-2; parley cluster status lists the nodes"],
    ["", "there is no node "],
  ])("no node with %j", (name, reason) => {
    expect(() => findNodes(nodes, name)).toThrow(reason);
  });
});

describe("draining", () => {
  async function openCluster(tasks: number) {
    const store = createMemoryStore();
    await store.renewNode("node-a", 60_000, info);
    await store.renewNode("node-b", 60_000, info);
    for (let count = 0; count < tasks; count += 1) await addTask(store, `t${count}`, "node-a");
    const told: string[] = [];
    const left: number[] = [];
    const bus = {
      publishTopic: (topic: BusTopic, message: string) => void told.push(`${topic} ${message}`),
    };
    const nodes = findNodes(await store.listNodes(), "node-a");
    const onProgress = (count: number) => void left.push(count);
    return { store, bus, nodes, onProgress, told, left };
  }

  it("marks the node, tells it, and waits until it holds no task", async () => {
    const cluster = await openCluster(2);
    const { store, told, left } = cluster;
    let looks = 0;
    const pause = async (): Promise<boolean> => {
      looks += 1;
      // Nothing changes between the first two looks; then another node takes the tasks one by one.
      const taskId = `t${looks - 2}`;
      if (looks > 1) await store.claim({ taskId, node: "node-b", epoch: 1 });
      return true;
    };
    expect(await drainNodes({ ...cluster, pause })).toBe(0);
    expect(left).toEqual([2, 1, 0]);
    expect(told).toEqual(["drain node-a"]);
    const [marked] = await store.listNodes();
    expect(marked).toMatchObject({ node: "node-a", isDraining: true });
  });

  it("ends when there is no more time, and leaves the mark", async () => {
    const cluster = await openCluster(1);
    expect(await drainNodes({ ...cluster, pause: async () => false })).toBe(1);
    expect(await cluster.store.listNodes()).toMatchObject([{ isDraining: true }, {}]);
  });

  it("waits for nothing of a node that has ended meanwhile, and tells it nothing", async () => {
    const cluster = await openCluster(0);
    await cluster.store.releaseNode("node-a");
    expect(await drainNodes({ ...cluster, pause: async () => false })).toBe(0);
    expect(cluster.told).toEqual([]);
  });

  it("can be undone", async () => {
    const cluster = await openCluster(0);
    await drainNodes({ ...cluster, pause: async () => false });
    await undrainNodes(cluster);
    expect(await cluster.store.listNodes()).toMatchObject([{ isDraining: false }, {}]);
    expect(cluster.told).toEqual(["drain node-a", "drain node-a"]);
  });
});
