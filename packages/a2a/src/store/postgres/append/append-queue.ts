import { atTurnsEnd } from "../../../async/internal.js";
import { A2AError } from "../../../protocol/internal.js";
import { ConnectionLost } from "../../../postgres/internal.js";
import type { Append, Appended } from "../../append.js";
import type { Place } from "../place.js";
import { toFailure } from "../failure.js";
import { repeat } from "../repeat.js";
import { appendCarefully } from "./append-carefully.js";
import { needsCare, toAppendText } from "./append-text.js";
import type { AppendText } from "./append-text.js";
import { commitBatch } from "./commit-batch.js";
import type { Outcome } from "./commit-batch.js";
import type { Placed } from "./relations.js";
import { checkCreation } from "./refuse.js";
import { settleAtEnd } from "./settle-at-end.js";
import { createStamps } from "./stamps.js";

interface Item {
  readonly text: AppendText;
  resolve(appended: Appended): void;
  reject(error: unknown): void;
}

/** How many appends, and roughly how many bytes, share a commit at most. */
const maxAppends = 256;
const maxBytes = 1_048_576;

/** How many appends that need a transaction of their own are under way at most. */
const maxCareful = 4;

/** How long an append at the end may be on its way to the server. Whether a lost one was carried out is known then. */
const onTheWayMs = 5000;

/** How many tasks with listeners a node remembers. */
const maxListened = 20_000;

/**
 * Group commit: appends that arrive while a batch is under way are the next one together, so the busier the store, the
 * more of them share a commit. The appends to one task are carried out one after the other, in the order of arrival.
 */
export class AppendQueue {
  readonly #place: Place;
  readonly #stamp = createStamps();
  /** Appends whose tasks have none under way, in the order of arrival. */
  #ready: Item[] = [];
  #careful: Item[] = [];
  /** Appends that wait for one to the same task, by task. Every task with one ready or under way has an entry. */
  readonly #behind = new Map<string, Item[]>();
  /** Tasks of which somebody wants to be notified, as far as this node knows. */
  readonly #listened = new Set<string>();
  #isBusy = false;
  #isScheduled = false;
  #carefulUnderWay = 0;
  #open = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(place: Place) {
    this.#place = place;
  }

  async add(append: Append): Promise<Appended> {
    checkCreation(append);
    const { create } = append;
    this.#open += 1;
    try {
      const owner = create && { ...create.owner, agent: create.agent };
      const scope =
        owner && (this.#place.scopes.known(owner) ?? (await this.#place.scopes.find(owner)));
      return await this.#enqueue(toAppendText(append, scope));
    } finally {
      this.#open -= 1;
      if (this.#open === 0) for (const resolve of this.#waiting.splice(0)) resolve();
    }
  }

  /** Resolves once no append is open. */
  async drain(): Promise<void> {
    if (this.#open > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #enqueue(text: AppendText): Promise<Appended> {
    return new Promise((resolve, reject) => {
      const item = { text, resolve, reject };
      const { taskId } = text.append;
      const behind = this.#behind.get(taskId);
      if (behind !== undefined) behind.push(item);
      else {
        this.#behind.set(taskId, []);
        this.#makeReady(item);
      }
    });
  }

  #makeReady(item: Item): void {
    const { append } = item.text;
    const isListened = append.notifyAt !== undefined && this.#listened.has(append.taskId);
    if (isListened || needsCare(append)) this.#careful.push(item);
    else this.#ready.push(item);
    this.#schedule();
  }

  /** Sends what is ready at the end of this turn of the event loop, so that all appends of one turn share a batch. */
  #schedule(): void {
    const canSend = !this.#isBusy && this.#ready.length > 0;
    const canCare = this.#carefulUnderWay < maxCareful && this.#careful.length > 0;
    if (this.#isScheduled || !(canSend || canCare)) return;
    this.#isScheduled = true;
    atTurnsEnd(() => {
      this.#isScheduled = false;
      while (this.#carefulUnderWay < maxCareful) {
        const item = this.#careful.shift();
        if (item === undefined) break;
        void this.#care(item);
      }
      if (!this.#isBusy && this.#ready.length > 0) void this.#commit(this.#takeBatch());
    });
  }

  #takeBatch(): Item[] {
    let count = 0;
    let bytes = 0;
    for (const { text } of this.#ready) {
      bytes += text.size;
      if (count > 0 && (count === maxAppends || bytes > maxBytes)) break;
      count += 1;
    }
    return this.#ready.splice(0, count);
  }

  async #commit(items: readonly Item[]): Promise<void> {
    this.#isBusy = true;
    try {
      await this.#try(items);
    } finally {
      this.#isBusy = false;
      this.#schedule();
    }
  }

  /** Commits some appends together. Where their statement fails, each is tried alone, so that only the failing one fails. */
  async #try(items: readonly Item[]): Promise<void> {
    const settled = new Set<Item>();
    try {
      await this.#commitTogether(items, settled);
    } catch (error) {
      const failed = items.filter((item) => !settled.has(item));
      if (items.length > 1 && !A2AError.is(error)) {
        for (const item of failed) await this.#try([item]);
      } else for (const item of failed) this.#settle(item, () => item.reject(toFailure(error)));
    }
  }

  /**
   * `settled` gets those of which the outcome is known, and those at the end whose connection was lost: they find out by
   * themselves what became of them.
   */
  async #commitTogether(items: readonly Item[], settled: Set<Item>): Promise<void> {
    const commit = { writer: this.#stamp(), shard: this.#place.shards.batches };
    const deadline = Math.floor(this.#place.clock.now()) + onTheWayMs;
    const sorted = items.toSorted((left, right) =>
      left.text.append.taskId < right.text.append.taskId ? -1 : 1,
    );
    let placed = sorted.map(({ text }, ord): Placed => {
      const isAtEnd = text.append.expectedSequence === undefined;
      return { ...text, ord: ord + 1, deadline: isAtEnd ? deadline : undefined };
    });
    const outcomes = new Map<number, Outcome>();
    try {
      await repeat(this.#place.database, async (tries) => {
        placed = placed.filter(({ ord }) => !outcomes.has(ord));
        if (placed.length === 0) return;
        try {
          await this.#place.database.withSession("write", (session) =>
            commitBatch({ ...this.#place, session }, { placed, commit, outcomes }, tries),
          );
        } catch (error) {
          if (error instanceof ConnectionLost) {
            // Sent again, they could be in the log twice.
            for (const { ord, deadline: late } of placed) {
              const item = sorted[ord - 1];
              if (late === undefined || item === undefined) continue;
              settled.add(item);
              void this.#settleAtEnd(item, commit.writer, late);
            }
            placed = placed.filter(({ deadline: late }) => late === undefined);
          }
          throw error;
        }
      });
    } finally {
      for (const [ord, outcome] of outcomes) {
        const item = sorted[ord - 1];
        if (item === undefined) continue;
        settled.add(item);
        this.#answer(item, outcome);
      }
    }
  }

  #answer(item: Item, outcome: Outcome): void {
    if (outcome.kind === "done") this.#settle(item, () => item.resolve(outcome.appended));
    else if (outcome.kind === "refused") this.#settle(item, () => item.reject(outcome.error));
    else if (outcome.kind === "late") this.#makeReady(item);
    else {
      this.#remember(item.text.append.taskId);
      this.#careful.push(item);
      this.#schedule();
    }
  }

  async #settleAtEnd(item: Item, writer: number, deadline: number): Promise<void> {
    const { append } = item.text;
    try {
      const appended = await settleAtEnd(this.#place, append, { writer, deadline });
      if (appended === undefined) this.#makeReady(item);
      else this.#settle(item, () => item.resolve(appended));
    } catch (error) {
      this.#settle(item, () => item.reject(toFailure(error)));
    }
  }

  async #care(item: Item): Promise<void> {
    this.#carefulUnderWay += 1;
    const { taskId } = item.text.append;
    try {
      const { appended, hasListeners } = await appendCarefully(
        this.#place,
        item.text,
        this.#stamp(),
      );
      if (hasListeners) this.#remember(taskId);
      else this.#listened.delete(taskId);
      this.#settle(item, () => item.resolve(appended));
    } catch (error) {
      this.#settle(item, () => item.reject(toFailure(error)));
    } finally {
      this.#carefulUnderWay -= 1;
      this.#schedule();
    }
  }

  #remember(taskId: string): void {
    this.#listened.add(taskId);
    for (const first of this.#listened) {
      if (this.#listened.size <= maxListened) break;
      this.#listened.delete(first);
    }
  }

  /** Answers an append and lets the next one to its task pass. */
  #settle(item: Item, answer: () => void): void {
    const { taskId } = item.text.append;
    const next = this.#behind.get(taskId)?.shift();
    if (next === undefined) this.#behind.delete(taskId);
    else this.#makeReady(next);
    answer();
  }
}
