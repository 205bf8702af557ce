import type { NodeInfo, NodeRecord, Store } from "../../../store/internal.js";
import { assert, assertEqual } from "../../assert.js";
import { leaseMs, nodeInfo, range } from "../samples.js";
import type { StoreStatements } from "../store-bench.js";

async function nodeOf(store: Store, node: string): Promise<NodeRecord | undefined> {
  return (await store.listNodes()).find((one) => one.node === node);
}

async function slotsOf(store: Store): Promise<Readonly<Record<string, number>>> {
  return Object.fromEntries((await store.listNodes()).map(({ node, slot }) => [node, slot]));
}

export const nodeCases: StoreStatements = {
  "a node is alive from its first renewal to its release": async ({ store, another }) => {
    const other = await another();
    assertEqual(await store.isLive("n1"), false, "whether an unknown node is alive");
    await store.renewNode("n1", leaseMs, nodeInfo);
    await store.renewNode("n2", leaseMs, nodeInfo);
    await store.renewNode("n1", leaseMs, nodeInfo);
    assertEqual([await store.isLive("n1"), await other.isLive("n1")], [true, true], "n1");
    await other.releaseNode("n1");
    await store.releaseNode("unknown");
    assertEqual([await store.isLive("n1"), await other.isLive("n1")], [false, false], "n1 then");
    assertEqual(await store.isLive("n2"), true, "whether another is still alive");
    await store.renewNode("n1", leaseMs, nodeInfo);
    assertEqual(await other.isLive("n1"), true, "whether it is alive when it is back");
  },

  "a renewal says how many nodes of its agent are alive": async ({ store, another }) => {
    const renew = async (on: Store, node: string, agent: string): Promise<number> =>
      (await on.renewNode(node, leaseMs, { ...nodeInfo, agent })).nodes;
    const other = await another();
    assertEqual(await renew(store, "n1", "travel"), 1, "the first");
    assertEqual(await renew(other, "n2", "travel"), 2, "with a second");
    assertEqual(await renew(store, "w1", "weather"), 1, "of another agent");
    assertEqual(await renew(store, "n1", "travel"), 2, "the first again");
    await other.releaseNode("n2");
    assertEqual(await renew(store, "n1", "travel"), 1, "after a release");
  },

  "a renewal says how many nodes of its agent are unheard": async ({ store, another }) => {
    const other = await another();
    const renew = async (on: Store, node: string, about: Partial<NodeInfo> = {}): Promise<number> =>
      (await on.renewNode(node, leaseMs, { ...nodeInfo, ...about })).unheard;
    assertEqual(await renew(store, "n1"), 0, "the first");
    assertEqual(await renew(other, "n2", { isUnheard: true }), 1, "one that says so itself");
    assertEqual(await renew(store, "n1"), 1, "one that hears of it");
    const { isUnheard } = (await nodeOf(store, "n2")) ?? {};
    assertEqual(isUnheard, true, "what the list says");
    assertEqual(await renew(store, "w1", { agent: "weather" }), 0, "one of another agent");
    assertEqual(await renew(other, "n2"), 0, "it when it is heard again");
    const found = await nodeOf(store, "n2");
    assert(found !== undefined && !("isUnheard" in found), "it is still marked");
    await renew(other, "n2", { isUnheard: true });
    await other.releaseNode("n2");
    assertEqual(await renew(store, "n1"), 0, "one that hears of a release");
  },

  "nodes are listed with what they last said of themselves": async ({ store, another }) => {
    assertEqual(await store.listNodes(), [], "the nodes of a new store");
    const first = { agent: "travel", revision: "7", version: "1.2.3", address: "10.0.0.1:80" };
    await store.renewNode("n1", leaseMs, first);
    const [found] = await (await another()).listNodes();
    const { leaseLeftMs = 0, ...known } = found ?? {};
    assertEqual(known, { ...first, node: "n1", slot: 0, isDraining: false }, "the node");
    const isLease = leaseLeftMs > leaseMs / 2 && leaseLeftMs <= leaseMs;
    assert(isLease, `${leaseLeftMs} ms are left of a lease of ${leaseMs} ms`);
    const { address: _, ...next } = { ...first, revision: "8" };
    await store.renewNode("n1", 2 * leaseMs, next);
    const { leaseLeftMs: later = 0, ...renewed } = (await nodeOf(store, "n1")) ?? {};
    assertEqual(renewed, { ...next, node: "n1", slot: 0, isDraining: false }, "it afterwards");
    assert(later > leaseMs && later <= 2 * leaseMs, `${later} ms are left of the longer lease`);
    await store.renewNode("n1", 0, next);
    assertEqual(
      (await nodeOf(store, "n1"))?.leaseLeftMs,
      0,
      "what is left of a lease that is over",
    );
  },

  "a node gets the smallest free slot and keeps it until its release": async ({ store }) => {
    for (const node of ["b", "a", "c", "b"]) await store.renewNode(node, leaseMs, nodeInfo);
    assertEqual(await slotsOf(store), { b: 0, a: 1, c: 2 }, "the slots");
    await store.releaseNode("b");
    await store.renewNode("c", leaseMs, nodeInfo);
    assertEqual(await slotsOf(store), { a: 1, c: 2 }, "those after a release");
    await store.renewNode("d", leaseMs, { ...nodeInfo, agent: "weather" });
    await store.renewNode("e", leaseMs, nodeInfo);
    assertEqual(await slotsOf(store), { d: 0, a: 1, c: 2, e: 3 }, "those of nodes that came later");
    const listed = (await store.listNodes()).map(({ node }) => node);
    assertEqual(listed, ["d", "a", "c", "e"], "the order of the list");
  },

  "nodes that appear at the same time get different slots": async ({ store, another }) => {
    const nodes = [store, await another()];
    await Promise.all(
      range(20).map((number) =>
        (nodes[number % 2] ?? store).renewNode(`n${number}`, leaseMs, nodeInfo),
      ),
    );
    const slots = (await store.listNodes()).map(({ slot }) => slot);
    assertEqual(slots, range(20), "the slots");
  },

  "a node that is to drain hears so at each renewal, until that is taken back or it is released":
    async ({ store, another }) => {
      const other = await another();
      const renew = async (): Promise<boolean> =>
        (await store.renewNode("n1", leaseMs, nodeInfo)).isDraining;
      assertEqual(await store.setDraining("n1", true), false, "the mark of an unknown node");
      assertEqual(await renew(), false, "what a new node hears");
      await store.renewNode("n2", leaseMs, nodeInfo);
      assertEqual(await other.setDraining("n1", true), true, "the mark");
      assertEqual([await renew(), await renew()], [true, true], "what the node hears");
      assertEqual((await nodeOf(other, "n1"))?.isDraining, true, "what the list says");
      assertEqual((await nodeOf(other, "n2"))?.isDraining, false, "what it says of another");
      assertEqual(await other.isLive("n1"), true, "whether it is alive");
      assertEqual(await other.setDraining("n1", false), true, "the mark taken back");
      assertEqual(await renew(), false, "what it hears then");
      await store.setDraining("n1", true);
      await store.releaseNode("n1");
      assertEqual(await store.setDraining("n1", true), false, "the mark after the release");
      assertEqual(await renew(), false, "what it hears when it is back");
    },
};
