import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { A2AError } from "../../src/protocol/internal.js";
import type { Append, Store } from "@parley/a2a/store";
import { findPostgres } from "../support/postgres/find-programs.js";
import { startPostgres } from "../support/postgres/start-postgres.js";
import type { TestPostgres } from "../support/postgres/start-postgres.js";
import { openCutProxy } from "../support/proxies/cut-proxy.js";
import { rounds } from "../support/rounds.js";
import { createSchema } from "./postgres-schema.js";
import type { TestSchema } from "./postgres-schema.js";

const program = findPostgres();

/** What a writer was told of one append, which is known by its text. */
interface Told {
  readonly taskId: string;
  readonly text: string;
  /** Where it is in the log; absent: it was refused. */
  readonly sequence?: number;
}

describe.runIf(program.isThere)(`commits whose answers are lost, ${program.name}`, () => {
  let postgres: TestPostgres;
  let schema: TestSchema;
  beforeAll(async () => {
    postgres = await startPostgres({ settings: { fsync: "off" } });
    schema = await createSchema(postgres, "doubt");
  });
  afterAll(() => postgres.stop());

  test("whoever appends is told what is in the log, however often connections are cut", async () => {
    await using proxy = await openCutProxy(postgres.url);
    await using direct = await schema.openEmpty();
    await using store = await schema.open({
      url: proxy.through(postgres.url),
      report: () => undefined,
    });
    const cuts = rounds(300);
    const told: Told[] = [];
    /** How many appends have been answered through the proxy. */
    let passed = 0;
    let isOver = false;
    const write = async (
      by: Store,
      append: Omit<Append, "events">,
      text: string,
    ): Promise<Told> => {
      const { taskId } = append;
      const chunk = { artifactId: "a", parts: [{ text }] };
      try {
        const events = [{ kind: "artifact-updated", artifact: chunk } as const];
        const { sequence } = await by.append({ ...append, events });
        const one = { taskId, text, sequence };
        told.push(one);
        return one;
      } catch (error) {
        if (!A2AError.is(error) || error.code !== "CONCURRENT_MODIFICATION") throw error;
        told.push({ taskId, text });
        return { taskId, text };
      } finally {
        if (by === store) passed += 1;
      }
    };

    /** Writes at exact sequences, as a run does; begins with the creation, and now and then brings a key along. */
    const stream = async (name: string): Promise<void> => {
      const create = {
        owner: { tenant: "", subject: "ada" },
        agent: "travel",
        contextId: "c",
        createdIn: "1.0",
      };
      const status = { state: "TASK_STATE_WORKING", at: 1 } as const;
      const born = await write(
        store,
        { taskId: name, epoch: 1, expectedSequence: 0, create, status },
        `${name} is born`,
      );
      expect(born.sequence, "the creation of a task that nobody else creates").toBe(1);
      let expectedSequence = 1;
      for (let count = 1; !isOver; count += 1) {
        const text = `${name} ${count}`;
        const idempotency = { key: text, requestHash: "h", expiresAt: Number.MAX_SAFE_INTEGER };
        const more = count % 5 === 0 ? { idempotency } : count % 7 === 0 ? { node: "n1" } : {};
        const one = await write(store, { taskId: name, epoch: 1, expectedSequence, ...more }, text);
        if (one.sequence === undefined) {
          expectedSequence = (await direct.loadRecord(name))?.sequence ?? 0;
        } else {
          expect(one.sequence, text).toBe(expectedSequence + 1);
          expectedSequence = one.sequence;
        }
      }
    };
    /** Writes at the end, as a caller on another node does. */
    const interrupt = async (by: Store, name: string, taskId: string): Promise<void> => {
      for (let count = 1; !isOver; count += 1) {
        if ((await direct.loadRecord(taskId)) === undefined) await sleep(1);
        else await write(by, { taskId, epoch: 1 }, `${name} ${count}`);
        if (by !== store) await sleep(20);
      }
    };
    const random = createRandom(17);
    const cut = async (): Promise<void> => {
      for (let count = 0; count < cuts; count += 1) {
        const enough = passed + 1 + random() * 6;
        while (passed < enough) await sleep(1);
        await sleep(random() * 4);
        if (random() < 0.5) {
          proxy.stallAnswers();
          await sleep(random() * 4);
        }
        proxy.reset();
        await proxy.resume();
        // Appends at the end know what became of them when their deadline has passed.
        if (count % 3 === 0) await schema.advance(6000);
      }
      isOver = true;
      await schema.advance(6000);
    };
    const tasks = ["t1", "t2", "t3", "t4"];
    await Promise.all([
      cut(),
      ...tasks.map(stream),
      interrupt(store, "caller", "t1"),
      interrupt(store, "second caller", "t2"),
      interrupt(direct, "stranger", "t2"),
      interrupt(direct, "second stranger", "t3"),
    ]);

    const logs = new Map(
      await Promise.all(
        tasks.map(async (taskId) => {
          const log = await direct.read(taskId, 0, 1_000_000);
          expect(log.map(({ sequence }) => sequence)).toEqual(log.map((_, index) => index + 1));
          const texts = log.map(({ event }) =>
            event.kind === "artifact-updated" ? event.artifact.parts[0]?.text : undefined,
          );
          return [taskId, texts] as const;
        }),
      ),
    );
    for (const { taskId, text, sequence } of told) {
      const places = logs.get(taskId)?.flatMap((one, index) => (one === text ? [index + 1] : []));
      expect(places, text).toEqual(sequence === undefined ? [] : [sequence]);
    }
    const refused = told.filter(({ sequence }) => sequence === undefined).length;
    const written = Array.from(logs.values()).reduce((sum, log) => sum + log.length, 0);
    expect(written + refused, "how many appends were told of").toBe(told.length);
  });
});

/** Numbers from 0 to 1 that are the same in every run. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
