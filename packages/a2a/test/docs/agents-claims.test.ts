import { describe, expect, it } from "vitest";
import { agent, statusDetailsUri, textOf } from "@parley/a2a";
import type { Agent, Handler, Output, RunContext } from "@parley/a2a";
import { tryAgent } from "@parley/a2a/testing";

/** What docs/agents.md says in its tables. */
const agentOf = (run: Handler, durable = false): Agent =>
  agent({ name: "Claimed", description: "Does what the page says", run, durable });

const never = (): Promise<never> => new Promise(() => undefined);

describe("how a handler ends", () => {
  it.each<[string, Handler, string, string]>([
    [
      "content after outputs",
      async function* () {
        yield "a";
        return "b";
      },
      "COMPLETED",
      "ab",
    ],
    ["completed", () => ({ completed: "Done" }), "COMPLETED", ""],
    ["nothing", () => undefined, "COMPLETED", ""],
    ["inputRequired", () => ({ inputRequired: "When?" }), "INPUT_REQUIRED", ""],
    ["fail", ({ fail }) => fail("No seats", { code: "FULL" }), "FAILED", ""],
    ["reject", ({ reject }) => reject("Not my field"), "REJECTED", ""],
  ])("%s", async (_, run, state, answer) => {
    await using trial = await tryAgent(agentOf(run));
    const task = await (await trial.send("go")).task();
    const { status, artifacts = [] } = task;
    expect(status.state).toBe(`TASK_STATE_${state}`);
    expect(artifacts.flatMap(({ parts }) => parts.map(({ text }) => text)).join("")).toBe(answer);
    const words = status.message && textOf(status.message);
    expect([undefined, "Done", "When?", "No seats", "Not my field"]).toContain(words);
    if (state === "FAILED") expect(JSON.stringify(task.metadata)).toContain(statusDetailsUri);
  });

  it("content alone is a message without a task", async () => {
    await using trial = await tryAgent(agentOf(() => "hi"));
    const talk = await trial.send("go");
    expect([await talk.text(), talk.taskId]).toEqual(["hi", undefined]);
  });

  it("an error tells the caller a reference and the operator the error", async () => {
    const error = new Error("secret");
    await using trial = await tryAgent(
      agentOf(async function* () {
        yield "x";
        throw error;
      }),
    );
    const { status } = await (await trial.send("go")).task();
    expect(status.message && textOf(status.message)).toMatch(/^The agent failed \(\S+\)\.$/);
    expect(trial.reports).toMatchObject([{ error }]);
  });

  it("the answer to a returned question starts another run, with the first message in its history", async () => {
    await using trial = await tryAgent(
      agentOf(({ text, history }) => {
        if (history.length === 0) return { inputRequired: "When?" };
        return { completed: `${history.map(textOf).join(" ")} ${text}` };
      }),
    );
    const talk = await trial.send("Tokyo");
    await talk.answer("May");
    const { status } = await talk.task();
    expect(status.message && textOf(status.message)).toBe("Tokyo When? May");
  });
});

describe("the life of a run", () => {
  it("a canceled handler that waits hears it from its question, and cleans up", async () => {
    const heard: unknown[] = [];
    await using trial = await tryAgent(
      agentOf(async function* ({ ask }) {
        try {
          yield textOf(await ask("When?"));
        } catch (error) {
          heard.push(error);
          throw error;
        } finally {
          heard.push("finally");
        }
      }),
    );
    const talk = await trial.send("go");
    await talk.question();
    await talk.cancel();
    expect((await talk.task()).status.state).toBe("TASK_STATE_CANCELED");
    await expect.poll(() => heard).toEqual([expect.any(Error), "finally"]);
  });

  it("a handler that ignores its signal is canceled all the same", async () => {
    await using trial = await tryAgent(
      agentOf(async function* () {
        yield "x";
        await never();
      }),
      { settings: { cancelGraceMs: 1000 } },
    );
    const talk = await trial.send("go");
    const canceled = talk.cancel();
    await trial.advance(1000);
    await canceled;
    expect((await talk.task()).status.state).toBe("TASK_STATE_CANCELED");
  });

  it("a task that nobody answers waits for ever, or fails after waitingRetentionMs", async () => {
    const minute = 60_000;
    const asking = agentOf(async ({ ask }) => textOf(await ask("When?")));
    await using patient = await tryAgent(asking);
    const waits = await patient.send("go");
    await waits.question();
    await patient.advance(2 * minute);
    expect((await waits.task()).status.state).toBe("TASK_STATE_INPUT_REQUIRED");
    await using impatient = await tryAgent(asking, { settings: { waitingRetentionMs: minute } });
    const fails = await impatient.send("go");
    await fails.question();
    await impatient.advance(2 * minute);
    expect((await fails.task()).status.state).toBe("TASK_STATE_FAILED");
  });

  it("a handler that goes on without the answer withdraws its question", async () => {
    await using trial = await tryAgent(
      agentOf(async function* ({ ask }) {
        void ask("When?").catch(() => undefined);
        await new Promise((resolve) => setTimeout(resolve, 50));
        yield "In May, I decide";
      }),
    );
    const talk = await trial.send("go");
    await talk.question();
    await expect.poll(async () => (await talk.task()).status.state).toBe("TASK_STATE_COMPLETED");
    expect(await talk.text()).toBe("In May, I decide");
  });

  it("a step that failed is tried again by a handler that is begun again", async () => {
    let calls = 0;
    await using trial = await tryAgent(
      agentOf(async ({ ask, step }) => {
        const price = await step("price", () => {
          calls += 1;
          if (calls === 1) throw new Error("busy");
          return "5";
        }).catch(() => "unknown");
        return `${price}, ${textOf(await ask("Buy?"))}`;
      }),
    );
    const talk = await trial.send("go");
    await talk.question();
    await trial.crash();
    await talk.answer("yes");
    expect([await talk.text(), calls]).toEqual(["5, yes", 2]);
  });

  it("what a failed stream told stays in the answer", async () => {
    await using trial = await tryAgent(
      agentOf(async function* ({ stream }) {
        try {
          yield* stream("first", async function* () {
            yield "Half a ";
            throw new Error("overloaded");
          });
        } catch {
          yield* stream("second", async function* () {
            yield "Another";
          });
        }
      }),
    );
    expect(await (await trial.send("go")).text()).toBe("Half a Another");
  });

  it("a stream that a crash cuts starts over, and nobody sees two generations spliced", async () => {
    let generation = 0;
    await using trial = await tryAgent(
      agentOf(async function* ({ stream }) {
        generation += 1;
        const mine = generation;
        yield* stream("draft", async function* () {
          yield `${mine}a `;
          yield `${mine}b `;
          if (mine === 1) await never();
          yield `${mine}c`;
        });
      }, true),
    );
    const talk = await trial.send("go");
    await trial.crash();
    expect(await talk.text()).toBe("2a 2b 2c");
    const told = talk.updates.flatMap(({ artifactUpdate }) => artifactUpdate ?? []);
    expect(told.filter(({ append }) => append !== true)).toHaveLength(2);
  });
});

describe("code that changes while a task waits", () => {
  type Body = (context: RunContext) => AsyncGenerator<Output, void, void>;
  const edition = (body: Body): Agent => agentOf(body, true);

  /** What a task answers that was asked by one edition and gets its answer in another. */
  async function change(before: Body, after: Body): Promise<{ text: string; reports: unknown[] }> {
    await using trial = await tryAgent(edition(before));
    const talk = await trial.send("go");
    await talk.question();
    await trial.redeploy(edition(after));
    await talk.answer("May");
    const { status } = await talk.task();
    if (status.state === "TASK_STATE_INPUT_REQUIRED") await talk.answer("Lima");
    return { text: await talk.text(), reports: trial.reports.map(({ error }) => error) };
  }

  const first: Body = async function* ({ ask, step }) {
    yield "Hello. ";
    const fare = await step("fare", () => 1);
    const when = textOf(await ask("When?"));
    yield `${when} for ${fare}`;
  };

  it.each<[string, Body, string]>([
    [
      "outputs may be changed, and what came before the question stays as it was told",
      async function* ({ ask, step }) {
        const fare = await step("fare", () => 2);
        yield "Good day. ";
        yield { status: "Asking" };
        const when = textOf(await ask("When?"));
        yield `${when} for ${fare}`;
      },
      "Hello. May for 1",
    ],
    [
      "a step may be added, and before the question the answer is told anew",
      async function* ({ ask, step }) {
        yield "Good day. ";
        const seat = await step("seat", () => "A1");
        const fare = await step("fare", () => 2);
        const when = textOf(await ask("When?"));
        yield `${when} for ${fare} at ${seat}`;
      },
      "Good day. May for 1 at A1",
    ],
    [
      "a removed step is ignored",
      async function* ({ ask }) {
        yield textOf(await ask("When?"));
      },
      "Hello. May",
    ],
    [
      "a renamed step is done again",
      async function* ({ ask, step }) {
        yield "Hello. ";
        const fare = await step("fare in euros", () => 2);
        yield `${textOf(await ask("When?"))} for ${fare}`;
      },
      "Hello. May for 2",
    ],
    [
      "an unnamed question before another takes its answer",
      async function* ({ ask }) {
        const where = textOf(await ask("Where to?"));
        const when = textOf(await ask("When?"));
        yield `to ${where} in ${when}`;
      },
      "Hello. to May in Lima",
    ],
  ])("%s", async (_, after, text) => {
    expect((await change(first, after)).text).toBe(text);
  });

  it("a reworded question takes the answer, and the difference is reported", async () => {
    const { text, reports } = await change(first, async function* ({ ask, step }) {
      const fare = await step("fare", () => 1);
      yield `${textOf(await ask("On which day?"))} for ${fare}`;
    });
    expect(text).toBe("Hello. May for 1");
    expect(String(reports)).toContain("On which day?");
  });

  it("a named question keeps its answer, whatever comes before it", async () => {
    const named: Body = async function* ({ ask }) {
      yield textOf(await ask("When?", { name: "when" }));
    };
    const { text } = await change(named, async function* ({ ask }) {
      const where = textOf(await ask("Where to?", { name: "where" }));
      yield `to ${where} in ${textOf(await ask("When?", { name: "when" }))}`;
    });
    expect(text).toBe("to Lima in May");
  });
});
