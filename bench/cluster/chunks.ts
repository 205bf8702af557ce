import type { Store } from "@parley/a2a/store";
import { openPostgresStore } from "@parley/a2a/store/postgres";
import { median } from "../compare.js";
import { time } from "../measure.js";
import { chunk, creation } from "../store-samples.js";
import { connectRaw } from "./pg.js";
import type { Raw } from "./pg.js";
import type { Row } from "./row.js";

const streams = 64;
const chunks = 100;
const rounds = 9;

/** 64 streams whose writers wait for each chunk, against the same rows inserted in batches of 64 without any check. */
export async function measureChunks(url: string): Promise<Row[]> {
  await using store = await openPostgresStore({ url });
  await using raw = await connectRaw(url);
  await raw.query(`CREATE TABLE raw_log (task bigint NOT NULL, sequence bigint NOT NULL,
    epoch bigint NOT NULL, writer bigint NOT NULL, at bigint NOT NULL, events text NOT NULL,
    PRIMARY KEY (task, sequence))`);
  const times: { mine: number; theirs: number }[] = [];
  for (let turn = -1; turn < rounds; turn += 1) {
    const writers = await Promise.all(
      Array.from({ length: streams }, async (_, number) => {
        const created = creation(`stream-${turn}-${number}`, Date.now());
        await store.append(created);
        return { taskId: created.taskId, first: created.events.length };
      }),
    );
    const mine = await time(async () => {
      await Promise.all(writers.map(({ taskId, first }) => stream(store, taskId, first)));
    });
    const theirs = await time(() => insertRaw(raw, (turn + 1) * streams));
    if (turn >= 0) times.push({ mine, theirs });
  }
  const rate = (key: "mine" | "theirs"): string =>
    ((streams * chunks * 1000) / median(times.map((found) => found[key]))).toFixed(0);
  return [
    {
      name: "64 streams × 100 awaited chunks / raw unnest insert of the same rows",
      value: median(times.map(({ mine, theirs }) => theirs / mine)),
      unit: "×",
      atLeast: 0.6,
      note: `${rate("mine")} events/s, raw ${rate("theirs")}`,
    },
  ];
}

async function stream(store: Store, taskId: string, first: number): Promise<void> {
  for (let sent = 0; sent < chunks; sent += 1) {
    await store.append({ taskId, expectedSequence: first + sent, epoch: 1, events: [chunk()] });
  }
}

async function insertRaw(raw: Raw, firstTask: number): Promise<void> {
  const events = JSON.stringify(chunk());
  for (let sent = 0; sent < chunks; sent += 1) {
    const tasks = Array.from({ length: streams }, (_, number) => firstTask + number);
    await raw.query({
      name: "raw",
      text: `INSERT INTO raw_log (task, sequence, epoch, writer, at, events)
        SELECT task, sequence, 1, 7, (extract(epoch FROM clock_timestamp()) * 1000)::bigint, events
        FROM unnest($1::bigint[], $2::bigint[], $3::text[]) AS r(task, sequence, events)`,
      values: [tasks, tasks.map(() => sent), tasks.map(() => events)],
    });
  }
}
