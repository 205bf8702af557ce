import { describe, expect, it } from "vitest";
import { textOf } from "@parley/a2a";
import { agent } from "@parley/a2a/server";
import type { RunContext } from "@parley/a2a/server";
import { tryAgent } from "@parley/a2a/testing";

const never = new Promise<never>(() => undefined);

/** An agent whose handler hangs until its process dies, and counts how often it was begun. */
function openFragile(work: (context: RunContext, begin: number) => AsyncGenerator<string>) {
  let begins = 0;
  return {
    get begins() {
      return begins;
    },
    agent: agent({
      name: "Fragile",
      description: "Takes its process down",
      durable: true,
      async *run(context) {
        begins += 1;
        yield* work(context, begins);
      },
    }),
  };
}

describe("a handler whose process stops each time", () => {
  it("is begun 20 times, whatever it told, and then its task fails and says why", async () => {
    const fragile = openFragile(async function* (_, begin) {
      yield `other words ${begin}`;
      await never;
    });
    await using trial = await tryAgent(fragile.agent);
    const talk = await trial.send("go");
    for (let crash = 0; crash < 20; crash += 1) {
      expect(fragile.begins).toBe(crash + 1);
      await trial.crash();
    }
    const task = await talk.task();
    expect(task.status.state).toBe("TASK_STATE_FAILED");
    expect(task.status.message && textOf(task.status.message)).toContain("stopped 20 times");
    expect(fragile.begins).toBe(20);
  });

  it("goes on as long as each begin gets a step done", async () => {
    const fragile = openFragile(async function* ({ step }, begin) {
      for (let number = 1; number <= begin; number += 1) await step("work", () => number);
      if (begin < 30) await never;
      yield "done";
    });
    await using trial = await tryAgent(fragile.agent);
    const talk = await trial.send("go");
    for (let crash = 1; crash < 30; crash += 1) await trial.crash();
    expect(await talk.text()).toBe("done");
    expect(fragile.begins).toBe(30);
  });

  it("has 20 further begins after each step", async () => {
    const fragile = openFragile(async function* ({ step }, begin) {
      yield "begun";
      if (begin >= 15) await step("work", () => 1);
      if (begin < 34) await never;
      yield ", done";
    });
    await using trial = await tryAgent(fragile.agent);
    const talk = await trial.send("go");
    for (let crash = 1; crash < 34; crash += 1) await trial.crash();
    expect(await talk.text()).toBe("begun, done");
  });
});
