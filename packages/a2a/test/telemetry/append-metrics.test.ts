import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { openSqliteStore } from "@parley/a2a/store/sqlite";
import { measuredStore } from "../../src/server/measure/measured-store.js";
import type { Store } from "../../src/store/index.js";
import { createMemoryStore } from "../../src/store/memory/index.js";
import { createTestClock } from "../../src/testing/index.js";
import { openFolder } from "../support/files/open-folder.js";
import { chunk, creation } from "../store/sqlite-files.js";
import { createNodeMetrics } from "./read-registry.js";

let folder: Awaited<ReturnType<typeof openFolder>>;
beforeAll(async () => {
  folder = await openFolder();
});
afterAll(() => folder[Symbol.asyncDispose]());

const opened: Store[] = [];
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
});

const clock = createTestClock();
const stores: readonly (readonly [string, () => Promise<Store>])[] = [
  ["memory", async () => createMemoryStore({ clock })],
  ["sqlite", () => openSqliteStore({ path: folder.file(), clock })],
];

it.each(stores)(
  "an append that the store %s refuses is counted under its reason",
  async (name, open) => {
    const store = await open();
    opened.push(store);
    const { metrics, value } = createNodeMetrics();
    const measured = measuredStore(store, metrics, "travel");
    const refused = (parley_reason: string): number =>
      value("parley_append_refused_total", { parley_store: name, parley_reason }) ?? 0;
    const reasons = ["conflict", "fenced", "ended", "quota", "failed"] as const;
    const all = (): readonly number[] => reasons.map(refused);
    const append = { taskId: "t", expectedSequence: 1, epoch: 1, events: [chunk("x")] };

    await measured.append(creation("t"));
    await measured.append(append);
    expect(all()).toEqual([0, 0, 0, 0, 0]);

    await expect(measured.append(append), "another writer was faster").rejects.toThrow();
    expect(all()).toEqual([1, 0, 0, 0, 0]);

    await store.claim({ taskId: "t", epoch: 1, sequence: 2, node: "other" });
    await expect(measured.append({ ...append, expectedSequence: 2 })).rejects.toThrow();
    expect(all()).toEqual([1, 1, 0, 0, 0]);
    expect(value("parley_lease_fenced_total", { gen_ai_agent_name: "travel" })).toBe(1);

    // A writer that adds at the end, whoever holds the task, is fenced by nobody.
    const whileStates = ["TASK_STATE_INPUT_REQUIRED"] as const;
    const atEnd = measured.append({ taskId: "t", epoch: 0, events: [chunk("x")], whileStates });
    await expect(atEnd).rejects.toThrow();
    expect(all()).toEqual([2, 1, 0, 0, 0]);

    const state = "TASK_STATE_COMPLETED";
    const ending = {
      ...append,
      expectedSequence: 2,
      epoch: 2,
      status: { state, at: 1000 },
    } as const;
    await measured.append(ending);
    await expect(measured.append({ ...append, expectedSequence: 3, epoch: 2 })).rejects.toThrow();
    expect(all()).toEqual([2, 1, 1, 0, 0]);

    await expect(measured.append(creation("u", { limits: { maxTasks: 1 } }))).rejects.toThrow();
    expect(all()).toEqual([2, 1, 1, 1, 0]);

    const broken = measuredStore(
      Object.assign(Object.create(store) as Store, {
        append: () => Promise.reject(new Error("no connection")),
      }),
      metrics,
      "travel",
    );
    await expect(broken.append(append)).rejects.toThrow("no connection");
    expect(all()).toEqual([2, 1, 1, 1, 1]);

    // Each was timed, and only what was committed is counted as written.
    expect(value("parley_append_duration_seconds_count", { parley_store: name })).toBe(9);
    expect(value("parley_event_appended_total", { parley_store: name })).toBe(3);
    expect(value("parley_append_batch_size_sum")).toBe(3);
    expect(value("parley_append_batch_size_count")).toBe(3);
    expect(
      value("db_client_operation_duration_seconds_count", { db_operation_name: "append" }),
    ).toBe(9);
    expect(value("parley_task_created_total", { gen_ai_agent_name: "travel" })).toBe(1);
    expect(value("parley_task_ended_total", { a2a_task_state: state })).toBe(1);
  },
);
