import { describe, expect, test } from "vitest";
import { openFileBus } from "../../src/bus/file/index.js";
import type { Bus } from "../../src/bus/index.js";
import { connectNatsBus } from "../../src/bus/nats/index.js";
import { openPostgresBus } from "../../src/bus/postgres/index.js";
import type { Handler } from "../../src/server/index.js";
import { createMemoryStore } from "../../src/store/memory/index.js";
import { openPostgresStore } from "../../src/store/postgres/index.js";
import { openSqliteStore } from "@parley/a2a/store/sqlite";
import type { Store } from "../../src/store/index.js";
import { createTestClock } from "../../src/testing/index.js";
import { openFolder } from "../support/files/open-folder.js";
import { findNats, findPostgres } from "../support/postgres/find-programs.js";
import { startNats } from "../support/postgres/start-nats.js";
import { startPostgres } from "../support/postgres/start-postgres.js";
import { artifactText, stateOf, taskOf, textIn } from "../support/runtime/answers.js";
import { call, openTestRuntime, say, sayAndLeave } from "../support/runtime/open-test-runtime.js";
import { watchInBackground } from "../support/streams.js";
import { createDeferred } from "../support/time/deferred.js";
import { until } from "../support/time/until.js";

interface Place {
  readonly name: string;
  readonly isThere: boolean;
  /** Calls back with functions that open the store and the bus as another node does. */
  with(
    work: (openStore: () => Promise<Store>, openBus: () => Promise<Bus>) => Promise<void>,
  ): Promise<void>;
}

const places: readonly Place[] = [
  {
    name: "SQLite and a file",
    isThere: true,
    async with(work) {
      await using folder = await openFolder();
      await work(
        () => openSqliteStore({ path: folder.file() }),
        () => openFileBus({ path: folder.file("parley.db-bus") }),
      );
    },
  },
  {
    name: `PostgreSQL, ${findPostgres().name}`,
    isThere: findPostgres().isThere,
    async with(work) {
      await using server = await startPostgres();
      await work(
        () => openPostgresStore({ url: server.url }),
        () => openPostgresBus({ url: server.url }),
      );
    },
  },
  {
    name: `memory and NATS, ${findNats().name}`,
    isThere: findNats().isThere,
    async with(work) {
      await using server = await startNats();
      const store = { ...createMemoryStore(), isShared: true };
      await work(
        async () => store,
        () => connectNatsBus({ url: server.url }),
      );
    },
  },
];

/** Two nodes whose clocks stand still: what one hears of the other, it hears over the bus. */
async function withNodes(
  place: Place,
  run: Handler,
  work: (nodes: readonly Awaited<ReturnType<typeof openTestRuntime>>[]) => Promise<void>,
): Promise<void> {
  await place.with(async (openStore, openBus) => {
    const settings = { leaseMs: 600_000 };
    const open = async () => {
      const [store, bus] = [await openStore(), await openBus()];
      return openTestRuntime({ run, store, bus, clock: createTestClock(Date.now()), settings });
    };
    const nodes = [await open(), await open()];
    try {
      await work(nodes);
    } finally {
      for (const { store, bus, ...node } of nodes) {
        await node[Symbol.asyncDispose]();
        await bus.close();
        await store.close();
      }
    }
  });
}

describe.each(places)("two nodes over $name, whose clocks stand still,", (place) => {
  test.skipIf(!place.isThere)("stream, answer and cancel each other's tasks", async () => {
    const gate = createDeferred<void>();
    const run: Handler = async function* ({ text, nextMessage, signal }) {
      if (text === "listen") {
        yield "listening ";
        yield textIn((await nextMessage()).parts);
      } else if (text === "stay") {
        yield "here";
        await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
      } else {
        yield "a";
        await gate.promise;
        for (let count = 0; count < 20; count += 1) yield `${count} `;
      }
    };
    await withNodes(place, run, async ([one, two]) => {
      if (one === undefined || two === undefined) throw new Error("there are two nodes");
      const here = watchInBackground(one.service.sendStreamingMessage(say("go"), call()));
      await until(() => here.events.length >= 3, "the first chunk");
      const id = here.events[0]?.response.task?.id ?? "";
      const there = watchInBackground(two.service.subscribeToTask({ id }, call()));
      await until(() => there.events.length > 0, "the snapshot on the other node");
      gate.resolve();
      await until(() => here.isOver && there.isOver, "both streams to end");
      expect(there.events.at(-1)).toEqual(here.events.at(-1));

      const listening = taskOf(await one.service.sendMessage(sayAndLeave("listen"), call()));
      const answer = await two.service.sendMessage(say("news", { taskId: listening.id }), call());
      expect(artifactText(taskOf(answer))).toBe("listening news");

      const staying = taskOf(await one.service.sendMessage(sayAndLeave("stay"), call()));
      const canceled = await two.service.cancelTask({ id: staying.id }, call());
      expect(stateOf(canceled)).toBe("canceled");
      expect([...one.reports, ...two.reports]).toEqual([]);
    });
  });
});
