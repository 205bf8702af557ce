import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { Task } from "@parley/a2a";
import { pushRankOf } from "@parley/a2a/store";
import type { LogEntry, Store } from "@parley/a2a/store";
import { openReceiver } from "../support/servers/open-receiver.js";
import type { Receiver, ReceiverOptions } from "../support/servers/open-receiver.js";
import { openChance } from "./chance.js";
import { openFolder } from "../support/files/open-folder.js";
import { listTaskIds, readLog, withStore } from "./stored-log.js";
import { SubjectProcess, unlessKilled } from "./subject-process.js";
import { rounds } from "../support/rounds.js";

const kills = rounds(50);
const chunks = 40;

const settings = { leaseMs: 400, pushTimeoutMs: 300, minPushDelayMs: 10, maxPushDelayMs: 100 };

/** One notification that a receiver has taken. */
interface Taken {
  readonly id: string;
  readonly sequence: number;
  readonly body: unknown;
}

/** What a receiver has taken of each task, in the order in which it came. */
class Ledger {
  readonly taken = new Map<string, Taken[]>();
  /** How often one was taken that had been taken before. */
  repeats = 0;
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add({ headers, body }: Receiver["received"][number]): void {
    const parsed = JSON.parse(String(body)) as Record<string, Record<string, string>>;
    const event = parsed["task"] ?? parsed["statusUpdate"] ?? parsed["artifactUpdate"] ?? {};
    const taskId = event["taskId"] ?? event["id"] ?? "";
    const id = String(headers["x-a2a-notification-id"]);
    const sequence = Number(headers["x-a2a-notification-sequence"]);
    const ofTask = this.taken.get(taskId) ?? [];
    this.taken.set(taskId, ofTask);
    const before = ofTask.find((one) => one.id === id);
    if (before === undefined) {
      ofTask.push({ id, sequence, body: parsed });
      this.#count += 1;
      return;
    }
    this.repeats += 1;
    expect({ sequence, body: parsed }, "what comes twice is the same").toEqual({
      sequence: before.sequence,
      body: before.body,
    });
  }

  /** Without what came twice, it has to be what the log says, in its order. */
  check(taskId: string, log: readonly LogEntry[]): void {
    const expected = log.filter(({ event }) => pushRankOf(event) <= 2);
    const taken = this.taken.get(taskId) ?? [];
    expect(taken.map(({ sequence }) => sequence)).toEqual(expected.map((entry) => entry.sequence));
    expect(new Set(taken.map(({ id }) => id)).size).toBe(taken.length);
  }
}

/** Now and then a receiver fails, closes the connection, says when to come back, redirects, or hangs. */
function answerBadly(ledger: Ledger, below: (limit: number) => number): ReceiverOptions["answer"] {
  return (response, received) => {
    const choice = below(60);
    if (choice === 0) response.writeHead(500).end();
    else if (choice === 1) response.destroy();
    else if (choice === 2) response.writeHead(429, { "Retry-After": "0" }).end();
    else if (choice === 3) response.writeHead(302, { Location: "/elsewhere" }).end();
    else if (choice === 4 && below(5) === 0) setTimeout(() => response.destroy(), 10_000).unref();
    else {
      ledger.add(received);
      // Taken, though the sender does not hear of it.
      if (choice === 5) response.destroy();
      else response.writeHead(204).end();
    }
  };
}

describe.concurrent("a process that is killed while it notifies", () => {
  test.for(["full", "process"] as const)(
    `loses nothing and changes no order, in ${kills} kills with %s durability`,
    async (durability) => {
      await using folder = await openFolder();
      const path = folder.file();
      const options = { path, durability, durable: true, push: true, settings };
      const chance = openChance();
      const ledger = new Ledger();
      const surelyStored = new Set<string | undefined>();
      await using receiver = await openReceiver({
        answer: answerBadly(ledger, (limit) => chance.below(limit)) ?? (() => undefined),
      });

      for (let round = 0; round < kills; round += 1) {
        await using subject = await SubjectProcess.start(options);
        const sending = [`count ${chunks}`, `count ${chunks} 2`].map((text) =>
          subject.send(text, { pushTo: receiver.url, immediate: true }),
        );
        // Whatever is begun again too often fails, so now and then all come to their end.
        if (round % 6 === 5) {
          await Promise.all(sending);
          for (const id of await withStore(path, listTaskIds)) await subject.until(id, isCompleted);
        }
        // By the clock also before anything is stored, by what has arrived surely in the middle of it.
        else if (round > 0 && chance.below(2) === 0) await sleep(chance.below(200));
        else {
          for (const { task } of await Promise.all(sending)) surelyStored.add(task?.id);
          await hasGrown(ledger, 1 + chance.below(2 * chunks));
        }
        await subject.kill();
        await Promise.all(sending.map(unlessKilled));
        expect(subject.reports).toEqual([]);
      }

      await using last = await SubjectProcess.start(options);
      const taskIds = await withStore(path, listTaskIds);
      for (const id of taskIds) {
        await last.until(id, isCompleted);
      }
      while ((await last.countPushes()).waiting > 0) await sleep(20);
      expect(await last.countPushes()).toEqual({ waiting: 0, dead: 0 });
      expect(last.reports).toEqual([]);
      await last.kill();
      expect(taskIds).toEqual(expect.arrayContaining(Array.from(surelyStored)));
      expect(surelyStored.size).toBeGreaterThan(0);
      await withStore(path, async (store) => {
        for (const id of taskIds) ledger.check(id, await readLog(store, id));
      });
      expect(ledger.taken.size, "tasks that were told of and exist").toBe(taskIds.length);
      // Were nothing ever cut off in the middle, this would show nothing.
      expect(ledger.repeats).toBeGreaterThan(0);
    },
  );
});

test("processes that share a file deliver each notification once, and those of one that was killed", async () => {
  await using folder = await openFolder();
  const path = folder.file();
  const options = {
    path,
    durable: true,
    push: true,
    // Neither an attempt nor a lease ends by itself while a busy machine lets both go on.
    settings: { ...settings, pushTimeoutMs: 5000, leaseMs: 8000 },
  };
  const ledger = new Ledger();
  await using receiver = await openReceiver({
    answer(response, received) {
      ledger.add(received);
      response.writeHead(204).end();
    },
  });
  await using one = await SubjectProcess.start(options);
  await using other = await SubjectProcess.start(options);
  const sendTen = (node: SubjectProcess) =>
    Promise.all(
      Array.from({ length: 10 }, () =>
        node.sendForTask(`count ${chunks}`, { pushTo: receiver.url }),
      ),
    );
  await Promise.all([sendTen(one), sendTen(other)]);
  while ((await one.countPushes()).waiting > 0) await sleep(20);
  // The last chunk tells that it is the last, or an update after it does.
  const told = await withStore(path, countNotified);
  expect(told).toBeGreaterThanOrEqual(20 * (chunks + 3));
  expect(told).toBeLessThanOrEqual(20 * (chunks + 4));
  expect(ledger.count).toBe(told);
  expect(ledger.repeats).toBe(0);

  const last = sendTen(one).catch(() => undefined);
  await hasGrown(ledger, 5 * chunks);
  await one.kill();
  await last;
  for (const id of await withStore(path, listTaskIds)) {
    await other.until(id, isCompleted);
  }
  while ((await other.countPushes()).waiting > 0) await sleep(20);
  await withStore(path, async (store) => {
    for (const id of await listTaskIds(store)) ledger.check(id, await readLog(store, id));
  });
  expect([...one.reports, ...other.reports]).toEqual([]);
});

/** How many entries of all logs receivers are told of. */
async function countNotified(store: Store): Promise<number> {
  let count = 0;
  for (const id of await listTaskIds(store)) {
    count += (await readLog(store, id)).filter(({ event }) => pushRankOf(event) <= 2).length;
  }
  return count;
}

function isCompleted({ status }: Task): boolean {
  return status.state === "TASK_STATE_COMPLETED";
}

async function hasGrown(ledger: Ledger, by: number): Promise<void> {
  const goal = ledger.count + by;
  while (ledger.count < goal) await sleep(1);
}
