import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { isTerminal } from "@parley/a2a";
import type { StreamEvent } from "@parley/a2a";
import { verifies } from "../spec/verifies.js";
import { openFolder } from "../support/files/open-folder.js";
import { openChance } from "./chance.js";
import {
  chunksOf,
  endingsOf,
  listTaskIds,
  readLog,
  shownBy,
  toldIn,
  withStore,
} from "./stored-log.js";
import { SubjectProcess, unlessKilled } from "./subject-process.js";
import { rounds } from "../support/rounds.js";

const kills = rounds(50);
const chunks = 200;

describe.concurrent("a process that is killed while it streams", () => {
  test.for(["full", "process"] as const)(
    `has shown nothing that is lost or comes twice, and leaves one generation, in ${kills} kills with %s durability`,
    async (durability) => {
      verifies("stream:order", "stream:same-events");
      await using folder = await openFolder();
      const path = folder.file();
      const options = { path, durability, durable: true, settings: { leaseMs: 400 } };
      const chance = openChance();
      const audience = new Audience();

      for (let round = 0; round < kills; round += 1) {
        await using subject = await SubjectProcess.start(options);
        // Each process also begins again what those before it left behind.
        const watching = audience.unfinished().map((id) => audience.watch(subject, id));
        const how = round % 2 === 0 ? "count" : "draft";
        watching.push(audience.begin(subject, `${how} ${chunks}`));
        // Whatever is begun again too often fails, so now and then all come to their end.
        if (round % 6 === 5) await Promise.all(watching);
        // By the clock also before anything is stored, by what is seen surely in the middle of it.
        else if (round > 2 && chance.below(2) === 0) await sleep(chance.below(150));
        // Chunks that pile up come as one, so there may be fewer events than chunks.
        else
          await Promise.race([audience.hasSeen(1 + chance.below(chunks)), Promise.all(watching)]);
        await subject.kill();
        await Promise.all(watching.map(unlessKilled));
      }

      await using last = await SubjectProcess.start(options);
      const taskIds = await withStore(path, listTaskIds);
      await Promise.all(taskIds.map((id) => audience.watch(last, id)));
      await last.kill();
      let begunAgain = 0;
      await withStore(path, async (store) => {
        for (const id of taskIds) {
          const log = await readLog(store, id);
          expect(endingsOf(log)).toEqual(["TASK_STATE_COMPLETED"]);
          // Chunks say who made them: what is left is all of one generation, and nothing of another.
          const text = chunksOf(log).join("");
          const [, by = ""] = /^0@(\d+) /.exec(text) ?? [];
          const whole = Array.from({ length: chunks }, (_, index) => `${index}@${by} `);
          expect(text).toBe(whole.join(""));
          const told = toldIn(log).join("");
          if (new Set(Array.from(told.matchAll(/@(\d+) /g), ([, pid]) => pid)).size > 1) {
            begunAgain += 1;
          }
          const contextId = (await store.loadRecord(id))?.contextId ?? "";
          expect(audience.seen(id)).toEqual(shownBy(log, { id, contextId }));
        }
      });
      expect(begunAgain, "tasks that several processes worked on").toBeGreaterThan(kills / 10);
    },
  );
});

/** Those who watch tasks, whichever process shows them: each goes on after what it has seen. */
class Audience {
  readonly #seen = new Map<string, { cursor: number; readonly events: StreamEvent[] }>();
  #expected: { count: number; readonly reached: () => void } | undefined;

  seen(id: string): readonly StreamEvent[] {
    return this.#of(id).events;
  }

  cursor(id: string): number {
    return this.#of(id).cursor;
  }

  /** The tasks whose end nobody has seen. */
  unfinished(): string[] {
    return Array.from(this.#seen.keys()).filter((id) => {
      const state = this.seen(id).at(-1)?.response.statusUpdate?.status.state;
      return state === undefined || !isTerminal(state);
    });
  }

  /** Resolves when so many more events have been seen. */
  hasSeen(count: number): Promise<void> {
    return new Promise((reached) => {
      if (count === 0) reached();
      this.#expected = { count, reached };
    });
  }

  async begin(subject: SubjectProcess, text: string): Promise<void> {
    let id = "";
    await subject.stream(text, (event) =>
      this.#note((id ||= event.response.task?.id ?? ""), event),
    );
  }

  async watch(subject: SubjectProcess, id: string): Promise<void> {
    await subject.watch(id, (event) => this.#note(id, event), this.cursor(id));
  }

  #note(id: string, event: StreamEvent): void {
    const seen = this.#of(id);
    seen.cursor = event.sequence ?? 0;
    if (event.response.task === undefined) seen.events.push(event);
    if (this.#expected === undefined) return;
    this.#expected.count -= 1;
    if (this.#expected.count <= 0) this.#expected.reached();
  }

  #of(id: string): { cursor: number; readonly events: StreamEvent[] } {
    let seen = this.#seen.get(id);
    if (seen === undefined) this.#seen.set(id, (seen = { cursor: 0, events: [] }));
    return seen;
  }
}
