import type { Bus } from "../bus/internal.js";
import { assert, assertEqual } from "./assert.js";
import { toCases } from "./contract-case.js";
import type { ContractCase, Skip, Statements } from "./contract-case.js";
import { strangeIds } from "./store-contract/samples.js";

export interface CheckBusOptions {
  readonly skip?: readonly Skip[];
  /** Joins the same bus again, as another node would. Absent: the bus is within one node. */
  readonly share?: (bus: Bus) => Bus | Promise<Bus>;
}

interface BusBench {
  readonly bus: Bus;
  /** The same bus as another node sees it. */
  readonly another: () => Promise<Bus>;
}

const patienceMs = 30_000;

/** Waits until pending callbacks have run. A bus may take longer, so no case concludes anything from silence. */
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

/** Publishes until a subscriber is woken: a bus may lose wake-ups, and a subscription may take a moment. */
async function publishUntil(
  publish: () => void,
  isHeard: () => boolean,
  what: string,
): Promise<void> {
  const started = Date.now();
  while (!isHeard()) {
    assert(Date.now() - started < patienceMs, `${what}: not heard within ${patienceMs} ms`);
    publish();
    await settle();
  }
}

const statements: Statements<BusBench> = {
  "who watches a task is woken with its sequence": async ({ bus }) => {
    const woken: number[] = [];
    bus.subscribe("t1", (sequence) => woken.push(sequence));
    await publishUntil(
      () => bus.publish("t1", 7),
      () => woken.length > 0,
      "a wake-up",
    );
    assertEqual([...new Set(woken)], [7], "the sequences");
  },

  "who watches is woken asynchronously": async ({ bus }) => {
    let isPublishing = false;
    let isWoken = false;
    let isTooEarly = false;
    bus.subscribe("t1", () => {
      isWoken = true;
      isTooEarly ||= isPublishing;
    });
    const publish = (): void => {
      isPublishing = true;
      bus.publish("t1", 1);
      isPublishing = false;
    };
    await publishUntil(publish, () => isWoken, "a wake-up");
    assert(!isTooEarly, "the wake-up came before publish returned");
  },

  "everyone who watches a task is woken, and nobody else": async ({ bus }) => {
    const woken = new Set<string>();
    bus.subscribe("t1", () => woken.add("first"));
    bus.subscribe("t1", () => woken.add("second"));
    bus.subscribe("t2", () => woken.add("other"));
    await publishUntil(
      () => bus.publish("t1", 1),
      () => woken.has("first") && woken.has("second"),
      "two wake-ups",
    );
    await settle();
    assert(!woken.has("other"), "who watches another task is woken");
  },

  "a function that subscribes twice is subscribed twice": async ({ bus }) => {
    let count = 0;
    const wake = (): void => void (count += 1);
    const stop = bus.subscribe("t1", wake);
    bus.subscribe("t1", wake);
    stop();
    await publishUntil(
      () => bus.publish("t1", 1),
      () => count > 0,
      "the second subscription",
    );
  },

  "who stopped watching is not woken": async ({ bus }) => {
    const woken: string[] = [];
    const stop = bus.subscribe("t1", () => woken.push("stopped"));
    bus.subscribe("t1", () => woken.push("stays"));
    await publishUntil(
      () => bus.publish("t1", 1),
      () => woken.includes("stopped") && woken.includes("stays"),
      "two wake-ups",
    );
    await settle();
    stop();
    stop();
    woken.length = 0;
    await publishUntil(
      () => bus.publish("t1", 2),
      () => woken.length > 0,
      "a wake-up of who stays",
    );
    await settle();
    assert(!woken.includes("stopped"), "who stopped watching is woken");
  },

  "who stops watching before the wake-up comes is not woken": async ({ bus }) => {
    let isWoken = false;
    const stop = bus.subscribe("t1", () => (isWoken = true));
    bus.publish("t1", 1);
    stop();
    await settle();
    assert(!isWoken, "a wake-up came after the subscription's end");
  },

  "who is stopped by another that is woken is not woken": async ({ bus }) => {
    const woken: string[] = [];
    const stops = ["first", "second"].map((name) =>
      bus.subscribe("t1", () => {
        woken.push(name);
        for (const stop of stops) stop();
      }),
    );
    await publishUntil(
      () => bus.publish("t1", 1),
      () => woken.length > 0,
      "a wake-up",
    );
    assertEqual(woken.length, 1, "how many are woken");
  },

  "who is woken may stop watching, and begin again": async ({ bus }) => {
    let count = 0;
    let stop = (): void => {};
    const watch = (): void => {
      stop = bus.subscribe("t1", () => {
        count += 1;
        stop();
        if (count < 1000) watch();
      });
    };
    bus.subscribe("t1", () => {});
    watch();
    for (const target of [1, 2, 3]) {
      await publishUntil(
        () => bus.publish("t1", target),
        () => count >= target,
        `wake-up ${target}`,
      );
    }
    assert(count < 1000, "who begins again is woken for ever by one wake-up");
  },

  "of many wake-ups the last is heard": async ({ bus }) => {
    let highest = 0;
    bus.subscribe("t1", (sequence) => (highest = Math.max(highest, sequence)));
    for (let sequence = 1; sequence <= 1000; sequence += 1) bus.publish("t1", sequence);
    await publishUntil(
      () => bus.publish("t1", 1000),
      () => highest >= 1000,
      "the last wake-up",
    );
    assertEqual(highest, 1000, "the highest sequence");
  },

  "publishing never throws, watched or not": async ({ bus }) => {
    bus.publish("nobody watches", 1);
    bus.publish("", 0);
    bus.publish("t1", Number.MAX_SAFE_INTEGER);
    await settle();
  },

  "tasks are told apart by ids of any characters": async ({ bus }) => {
    const woken = new Map<string, Set<number>>(strangeIds.map((id) => [id, new Set()]));
    for (const [id, sequences] of woken) bus.subscribe(id, (sequence) => sequences.add(sequence));
    for (const [index, id] of strangeIds.entries()) {
      await publishUntil(
        () => bus.publish(id, index + 1),
        () => woken.get(id)?.has(index + 1) === true,
        `a wake-up of ${id}`,
      );
    }
    for (const [index, id] of strangeIds.entries()) {
      assertEqual([...(woken.get(id) ?? [])], [index + 1], `the sequences of ${id}`);
    }
  },

  "a closed bus wakes nobody and throws nothing": async ({ bus }) => {
    let isWoken = false;
    const stop = bus.subscribe("t1", () => (isWoken = true));
    await Promise.all([bus.close(), bus.close()]);
    const stopLate = bus.subscribe("t2", () => (isWoken = true));
    bus.publish("t1", 1);
    bus.publish("t2", 1);
    await settle();
    stop();
    stopLate();
    await bus[Symbol.asyncDispose]();
    assert(!isWoken, "a wake-up came after closing");
  },
};

const acrossNodes: Statements<BusBench> = {
  "who watches on one node is woken by another": async ({ bus, another }) => {
    const other = await another();
    const woken = new Set<string>();
    bus.subscribe("t1", () => woken.add("first"));
    other.subscribe("t1", () => woken.add("second"));
    for (const publisher of [bus, other]) {
      woken.clear();
      await publishUntil(
        () => publisher.publish("t1", 1),
        () => woken.size === 2,
        "a wake-up on both nodes",
      );
    }
  },

  "a node that closes leaves the others connected": async ({ bus, another }) => {
    const other = await another();
    let isWoken = false;
    bus.subscribe("t1", () => (isWoken = true));
    await other.close();
    await publishUntil(
      () => bus.publish("t1", 1),
      () => isWoken,
      "a wake-up",
    );
  },
};

/**
 * The contract of `Bus` as cases for any test runner. `create` opens a bus; every case opens its own and closes it.
 */
export function checkBus(
  create: () => Bus | Promise<Bus>,
  options: CheckBusOptions = {},
): readonly ContractCase[] {
  const { share } = options;
  const skips = [...(options.skip ?? [])];
  if (share === undefined) {
    skips.push({ reason: "connects no nodes", cases: Object.keys(acrossNodes) });
  }
  const use = async (statement: (bench: BusBench) => Promise<void>): Promise<void> => {
    const bus = await create();
    const opened = [bus];
    const another = async (): Promise<Bus> => {
      if (share === undefined) return bus;
      const other = await share(bus);
      opened.push(other);
      return other;
    };
    try {
      await statement({ bus, another });
    } finally {
      for (const one of opened.toReversed()) await one.close();
    }
  };
  return toCases({ ...statements, ...acrossNodes }, use, skips);
}
