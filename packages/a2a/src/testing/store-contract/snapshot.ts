import type { Store } from "../../store/internal.js";
import { ada, agent, all, bob, scopeOf } from "./samples.js";

/** Reads everything that is visible of some tasks, messages, keys and configurations, without changing it. */
export async function snapshot(
  store: Store,
  names: {
    readonly tasks: readonly string[];
    readonly messages?: readonly string[];
    readonly keys?: readonly string[];
  },
): Promise<unknown> {
  const owners = [ada, bob];
  const seen = [];
  for (const taskId of names.tasks) {
    seen.push(await store.load(taskId));
    seen.push(await store.loadRecord(taskId));
    seen.push(await store.read(taskId, 0, all));
    seen.push(await store.listPushConfigs(taskId, undefined, all));
  }
  for (const owner of owners) {
    seen.push(await store.list({ owner, agent, limit: all }));
    for (const id of names.messages ?? [])
      seen.push(await store.findByMessageId(scopeOf(owner), id));
    for (const key of names.keys ?? []) {
      seen.push((await store.loadIdempotentResult(scopeOf(owner), key, 0)) ?? null);
    }
  }
  seen.push(await store.list({ agent, limit: all }));
  seen.push(await store.list({ agent, contextId: "context-1", limit: all }));
  seen.push((await store.listHeld(agent, "alive")).toSorted());
  seen.push((await store.listHeld(agent, "refused-node")).toSorted());
  seen.push((await store.listNodes()).map((node) => ({ ...node, leaseLeftMs: 0 })));
  seen.push((await store.nextDeliveryAt(agent)) ?? null);
  seen.push(await store.countDeliveries(agent));
  seen.push(await store.listBuried({ agent, limit: all }));
  return seen;
}
