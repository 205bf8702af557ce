import { describe, expect, it } from "vitest";
import { agent, openRuntime } from "@parley/a2a/server";
import type { RuntimeOptions, RuntimeSettings } from "@parley/a2a/server";
import { createMemoryStore } from "@parley/a2a/store/memory";
import { defaultSettings } from "../../src/server/settings.js";

const definition = { name: "Echo", description: "Repeats", run: () => "x" };
const echo = agent(definition);

/** Opens a runtime with what a program without a compiler may pass. */
function open(options: unknown): Promise<unknown> {
  return openRuntime(options as RuntimeOptions);
}

/** A store that notes every call. */
function watchedStore() {
  const calls: PropertyKey[] = [];
  const store = new Proxy(createMemoryStore(), {
    get(target, name, receiver) {
      const member: unknown = Reflect.get(target, name, receiver);
      if (typeof member !== "function") return member;
      return (...args: unknown[]): unknown => {
        calls.push(name);
        return Reflect.apply(member, target, args);
      };
    },
  });
  return { store, calls };
}

const storeForms =
  "expected a store, such as createMemoryStore() or await openSqliteStore({ path })";

describe("openRuntime() refuses", () => {
  it.each<[string, (store: unknown) => unknown, string]>([
    ["nothing", () => undefined, "options is missing; expected { agent, store }"],
    ["an agent alone", () => echo, "got an agent; expected openRuntime({ agent, store })"],
    [
      "no agent",
      (store) => ({ store }),
      "agent: got nothing; expected an agent: agent({ name, description, run })",
    ],
    [
      "a definition",
      (store) => ({ agent: definition, store }),
      'agent: "Echo" is the definition of an agent; expected an agent: agent({ … })',
    ],
    [
      "a handler",
      (store) => ({ agent: definition.run, store }),
      "agent: got the function run; expected an agent: agent({ name, description, run: run })",
    ],
    ["no store", () => ({ agent: echo }), `store is missing; ${storeForms}`],
    [
      "the path of a store",
      () => ({ agent: echo, store: "tasks.db" }),
      `store is "tasks.db"; ${storeForms}`,
    ],
    [
      "a store that is not open yet",
      () => ({ agent: echo, store: Promise.resolve() }),
      `store is a promise that was not awaited; ${storeForms}`,
    ],
    [
      "a misspelt option",
      (store) => ({ agent: echo, store, setings: {} }),
      "setings is unknown; did you mean settings?",
    ],
    [
      "a setting beside the settings",
      (store) => ({ agent: echo, store, leaseMs: 1000 }),
      "leaseMs is unknown; did you mean settings.leaseMs?",
    ],
    [
      "a misspelt setting",
      (store) => ({ agent: echo, store, settings: { leasMs: 1000 } }),
      "settings.leasMs is unknown; did you mean leaseMs?",
    ],
    [
      "a setting that is none of its words",
      (store) => ({ agent: echo, store, settings: { pushEvents: "none" } }),
      'settings.pushEvents is "none"; expected "all" or "status"',
    ],
    [
      "a report that is no function",
      (store) => ({ agent: echo, store, report: console }),
      expect.stringMatching(/^report is .*; expected a function$/) as string,
    ],
    [
      "a bus that is none",
      (store) => ({ agent: echo, store, bus: {} }),
      "bus is an empty object; expected a bus, such as createInProcessBus()",
    ],
  ])("%s, and leaves the store alone", async (_, options, problem) => {
    const { store, calls } = watchedStore();
    const error: unknown = await open(options(store)).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    const [caller, ...words] = (error as Error).message.split(": ");
    expect([caller, words.join(": ")]).toEqual(["openRuntime()", problem]);
    expect(calls).toEqual([]);
  });
});

describe("a setting", () => {
  const numbers = Object.entries(defaultSettings).filter(([, value]) => typeof value === "number");
  const optional: readonly (keyof RuntimeSettings)[] = [
    "maxConcurrentReplies",
    "maxConcurrentRunsPerPrincipal",
    "maxQueuedRunsPerPrincipal",
    "maxTasksPerPrincipal",
    "maxBytesPerPrincipal",
    "retentionMs",
    "waitingRetentionMs",
  ];
  const names = [...numbers.map(([name]) => name), ...optional];

  it.each(names)("that is a number is refused if it cannot be one: %s", async (name) => {
    for (const value of [-1, Number.NaN, 1.5, "5000", null]) {
      const { store, calls } = watchedStore();
      const shown = typeof value === "string" ? `"${value}"` : String(value);
      await expect(open({ agent: echo, store, settings: { [name]: value } })).rejects.toThrow(
        `openRuntime(): settings.${name} is ${shown}; expected a whole number`,
      );
      expect(calls).toEqual([]);
    }
  });

  it.each<[string, unknown, string]>([
    ["leaseMs", 0, "0; expected a whole number of milliseconds from 1 to 2147483647 (24 days)"],
    [
      "leaseMs",
      2 ** 31,
      "2147483648; expected a whole number of milliseconds from 1 to 2147483647 (24 days)",
    ],
    ["retentionMs", -1, "-1; expected a whole number of milliseconds from 0"],
    ["maxConcurrentRuns", 0, "0; expected a whole number from 1"],
    ["maxQueuedRuns", -1, "-1; expected a whole number from 0"],
    ["idempotentMessageIds", 1, "1; expected true or false"],
    ["operatorScope", "", '""; expected a string'],
  ])("is refused with what it may be: %s", async (name, value, problem) => {
    const { store } = watchedStore();
    await expect(open({ agent: echo, store, settings: { [name]: value } })).rejects.toThrow(
      new Error(`openRuntime(): settings.${name} is ${problem}`),
    );
  });

  it("that is undefined has its default, and no limit is Infinity", async () => {
    const { store, calls } = watchedStore();
    const settings = { leaseMs: undefined, maxTaskBytes: Infinity, retentionMs: 30 * 86_400_000 };
    const runtime = await openRuntime({
      agent: echo,
      store,
      settings,
    } as unknown as RuntimeOptions);
    await runtime.close();
    expect(calls).toContain("renewNode");
  });
});
