import { expect, it } from "vitest";
import type { Append } from "../../append.js";
import type { Query } from "../../../postgres/internal.js";
import { Shards } from "../place.js";
import type { Place } from "../place.js";
import { AppendQueue } from "./append-queue.js";

const now = 1_700_000_000_000;

function chunkOf(taskId: string): Append {
  const artifact = { artifactId: "a", parts: [{ text: taskId }] };
  return {
    taskId,
    expectedSequence: 4,
    epoch: 1,
    events: [{ kind: "artifact-updated", artifact }],
  };
}

/** A database that answers statements by a script. */
function placeOf(answer: (query: Query) => readonly object[]): Place {
  const session = { query: async (query: Query) => answer(query) };
  const place = {
    database: {
      patienceMs: 1000,
      withSession: (_: string, work: (given: typeof session) => unknown) => work(session),
    },
    tables: { tasks: "tasks", log: "log", now: "now" },
    clock: { now: () => now, observe: () => undefined },
    shards: new Shards(),
  };
  return place as unknown as Place;
}

it.each([
  ["is undone", "40P01"],
  ["fails", "XX000"],
])("what one statement of a batch has committed stays so when the other %s", async (_, code) => {
  const sent: string[] = [];
  const queue = new AppendQueue(
    placeOf(({ name = "", values = [] }) => {
      sent.push(name);
      const taskIds = values.find((value): value is unknown[] => Array.isArray(value)) ?? [];
      if (name === "append-chunks") {
        // The first task is as its writer knows it; the second has gone on elsewhere.
        const isFirst = taskIds.includes("one") && sent.length === 1;
        return [{ at: now, applied: isFirst ? 1 : 0, ords: isFirst ? [1] : null }];
      }
      if (sent.length === 2) throw Object.assign(new Error("no"), { code });
      const head = { ok: false, sequence: 5, epoch: 1, state: 2, listeners: 0, at: null };
      const ords = String(values[2]).match(/\d+/gu)?.map(Number) ?? [];
      return [{ ...head, ord: 0, ok: true, at: now }, ...ords.map((ord) => ({ ...head, ord }))];
    }),
  );
  const [first, second] = await Promise.allSettled(
    ["one", "two"].map((id) => queue.add(chunkOf(id))),
  );
  expect(first).toMatchObject({ status: "fulfilled", value: { sequence: 5 } });
  expect(second).toMatchObject({
    status: "rejected",
    reason: { code: "CONCURRENT_MODIFICATION" },
  });
});
