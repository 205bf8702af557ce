import { describe, expect, it } from "vitest";
import { createDeferred } from "../async/internal.js";
import { agent, textOf } from "../server/internal.js";
import type { Agent } from "../server/internal.js";
import type { Handler } from "../server/index.js";
import { tryAgent } from "./try-agent.js";

function agentOf(run: Handler, durable = false): Agent {
  return agent({ name: "Tried", description: "Is tried", run, durable });
}

const never = (): Promise<never> => new Promise(() => undefined);

/** Says which of its activations is at work, before and after its question. */
function createAsking(edition = "first") {
  let activations = 0;
  const asking = agentOf(async function* ({ ask, text }) {
    activations += 1;
    yield `${text} `;
    const answer = textOf(await ask("Where to?"));
    yield `to ${answer}, by activation ${activations} of the ${edition} edition`;
  });
  return asking;
}

describe("a trial", () => {
  it("gives the text of a direct reply", async () => {
    await using trial = await tryAgent(agentOf(({ text }) => `You said ${text}`));
    const talk = await trial.send("hello");
    expect(await talk.text()).toBe("You said hello");
    expect(talk.taskId).toBeUndefined();
    await expect(talk.task()).rejects.toThrow(
      'the agent made no task: it replied "You said hello". A handler makes a task when it yields, asks',
    );
  });

  it("shows questions, takes answers, and gives the text in the end", async () => {
    await using trial = await tryAgent(createAsking());
    const talk = await trial.send("Travel");
    expect(await talk.question()).toBe("Where to?");
    expect((await talk.task()).status.state).toBe("TASK_STATE_INPUT_REQUIRED");
    await talk.answer("Oslo");
    expect(await talk.text()).toBe("Travel to Oslo, by activation 1 of the first edition");
    const states = talk.updates.flatMap(
      ({ task, statusUpdate }) => (task ?? statusUpdate)?.status.state ?? [],
    );
    expect(states).toEqual([
      "TASK_STATE_SUBMITTED",
      "TASK_STATE_WORKING",
      "TASK_STATE_INPUT_REQUIRED",
      "TASK_STATE_WORKING",
      "TASK_STATE_COMPLETED",
    ]);
    const told = talk.updates.flatMap(({ artifactUpdate }) => artifactUpdate?.artifact.parts ?? []);
    expect(told.map(({ text }) => text).join("")).toBe(await talk.text());
    expect(trial.reports).toEqual([]);
  });

  it("takes parts, and gives the text of any artifact", async () => {
    await using trial = await tryAgent(
      agent({
        name: "Tried",
        description: "Is tried",
        inputModes: ["text/plain", "application/json"],
        async *run({ message }) {
          yield { artifact: "echo", data: message.parts.length };
          yield { artifact: "words", text: "as said" };
        },
      }),
    );
    const talk = await trial.send([{ text: "a" }, { data: { b: 1 } }]);
    expect(await talk.text("words")).toBe("as said");
    expect((await talk.task()).artifacts?.[0]?.parts).toEqual([{ data: 2 }]);
    await expect(talk.text()).rejects.toThrow("no artifact answer; it has echo, words");
  });

  it("crashes: a handler that waited is begun again with its answer", async () => {
    await using trial = await tryAgent(createAsking());
    const talk = await trial.send("Travel");
    await talk.question();
    await trial.crash();
    await talk.answer("Oslo");
    expect(await talk.text()).toBe("Travel to Oslo, by activation 2 of the first edition");
  });

  it("crashes: a handler at work begins again if its agent is durable, and else fails", async () => {
    for (const durable of [true, false]) {
      let activations = 0;
      const working = agentOf(async function* () {
        activations += 1;
        yield `activation ${activations}`;
        if (activations === 1) await never();
      }, durable);
      await using trial = await tryAgent(working);
      const talk = await trial.send("go");
      await trial.crash();
      if (durable) expect(await talk.text()).toBe("activation 2");
      else
        await expect(talk.text()).rejects.toThrow(
          /is FAILED, and says .*stopped before.*"activation 1"/,
        );
    }
  });

  it("crashes while the test waits, which sees the end all the same", async () => {
    let activations = 0;
    await using trial = await tryAgent(
      agentOf(async function* () {
        activations += 1;
        yield `activation ${activations}`;
        if (activations === 1) await never();
      }, true),
    );
    const talk = await trial.send("go");
    const text = talk.text();
    await trial.crash();
    expect(await text).toBe("activation 2");
  });

  it("redeploys: a waiting task goes on in the edited code", async () => {
    await using trial = await tryAgent(createAsking());
    const talk = await trial.send("Travel");
    await talk.question();
    await trial.redeploy(createAsking("second"));
    await talk.answer("Lima");
    expect(await talk.text()).toBe("Travel to Lima, by activation 1 of the second edition");
  });

  it("evicts: a handler that waited is begun again", async () => {
    await using trial = await tryAgent(createAsking());
    const talk = await trial.send("Travel");
    await talk.question();
    await trial.evict();
    await talk.answer("Rome");
    expect(await talk.text()).toBe("Travel to Rome, by activation 2 of the first edition");
  });

  it("moves the clock, for pauses before retries", async () => {
    await using trial = await tryAgent(
      agentOf(({ step }) =>
        step(
          "call",
          ({ attempt }) => {
            if (attempt < 3) throw new Error("busy");
            return `attempt ${attempt}`;
          },
          { retries: 2, backoff: { firstMs: 1000 } },
        ),
      ),
    );
    const talk = await trial.send("go");
    await trial.advance(3000);
    expect(await talk.text()).toBe("attempt 3");
  });

  it("shows who calls, and lets the caller speak and cancel", async () => {
    await using trial = await tryAgent(
      agentOf(async function* ({ caller, nextMessage, signal }) {
        yield `${caller?.subject} says `;
        yield textOf(await nextMessage());
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
      }),
      { caller: { subject: "ada" } },
    );
    const talk = await trial.send("go");
    await talk.say("stop it");
    await trial.advance(0);
    await talk.cancel();
    const { status, artifacts } = await talk.task();
    expect(status.state).toBe("TASK_STATE_CANCELED");
    expect(artifacts?.[0]?.parts).toEqual([{ text: "ada says " }, { text: "stop it" }]);
  });

  it("says what it waited for, and how the task is", async () => {
    await using trial = await tryAgent(
      agentOf(async function* () {
        yield "half a";
        await never();
      }),
      { patienceMs: 500 },
    );
    const talk = await trial.send("go");
    const reason =
      /waited 500 ms for the agent's question; task \S+ is WORKING, told so far: answer "half a"/;
    await expect(talk.question()).rejects.toThrow(reason);
    await expect(talk.text()).rejects.toThrow(
      /waited 500 ms for the end of the task; .* advance\(\)/,
    );
  });

  it("says what it waited for when the agent gives no sign of life", async () => {
    await using trial = await tryAgent(agentOf(never), { patienceMs: 50 });
    await expect(trial.send("go")).rejects.toThrow(
      "waited 50 ms for the agent's first sign of life",
    );
  });

  it("says why a task failed, with what was reported", async () => {
    const cause = new Error("no such city");
    await using trial = await tryAgent(
      agentOf(async function* () {
        yield "Looking. ";
        throw cause;
      }),
    );
    const talk = await trial.send("go");
    const failure = await talk.text().catch((error: unknown) => error);
    expect(failure).toMatchObject({ cause });
    expect(String(failure)).toMatch(/is FAILED, .*"Looking\. ".*\n +reported: Error: no such city/);
    await expect(talk.question()).rejects.toThrow("expected a question, but task");
    expect(trial.reports).toMatchObject([{ error: cause, taskId: talk.taskId }]);
  });

  it("says that a task waits for an answer when its text is asked for", async () => {
    await using trial = await tryAgent(createAsking());
    const talk = await trial.send("Travel");
    await expect(talk.text()).rejects.toThrow(
      'the task waits for an answer to "Where to?"; call answer() first',
    );
  });

  it("takes files as a client does", async () => {
    await using trial = await tryAgent(
      agent({
        name: "Reader",
        description: "Reads",
        inputModes: ["*/*"],
        async *run({ message, ask }) {
          const answer = await ask("More?");
          yield JSON.stringify([message.parts, answer.parts]);
        },
      }),
    );
    const bytes = new TextEncoder().encode("hi");
    const talk = await trial.send(["Look", { bytes, mediaType: "text/csv", filename: "a.csv" }]);
    await talk.answer(new File(["hi"], "b.txt", { type: "text/plain" }));
    expect(JSON.parse(await talk.text())).toEqual([
      [{ text: "Look" }, { raw: "aGk=", mediaType: "text/csv", filename: "a.csv" }],
      [{ raw: "aGk=", mediaType: "text/plain", filename: "b.txt" }],
    ]);
  });

  it("crashes in the middle of a stream, once the test has seen its beginning", async () => {
    let attempts = 0;
    const opening = createDeferred<void>();
    await using trial = await tryAgent(
      agentOf(async function* ({ stream }) {
        yield { status: "Thinking" };
        yield* stream("draft", async function* () {
          attempts += 1;
          const isFirst = attempts === 1;
          await opening.promise;
          yield `draft ${attempts}`;
          if (isFirst) await never();
          yield " is done";
        });
      }, true),
    );
    const talk = await trial.send("go");
    const begun = talk.until((updates) => updates.some(({ artifactUpdate }) => artifactUpdate));
    opening.resolve();
    await begun;
    expect(attempts).toBe(1);
    await trial.crash();
    expect(await talk.text()).toBe("draft 2 is done");
  });

  it("says what did not come before the end, or in time", async () => {
    const asking = createAsking();
    await using trial = await tryAgent(asking, { patienceMs: 50 });
    const talk = await trial.send("Travel");
    const late = talk.until(() => false, "the second draft");
    await expect(late).rejects.toThrow("waited 50 ms for the second draft. If it");
    await expect(talk.until(() => false)).rejects.toThrow("for the condition of until()");
    await talk.answer("Oslo");
    await expect(talk.until(() => false, "the second draft")).rejects.toThrow(
      /^expected the second draft, but task \S+ is COMPLETED, told so far: answer "Travel to Oslo/,
    );
    await expect(
      talk.until(() => {
        throw new Error("no such member");
      }),
    ).rejects.toThrow("no such member");
    await using direct = await tryAgent(agentOf(() => "hi"));
    const reply = await direct.send("go");
    await reply.until((updates) => updates.length === 1);
    await expect(reply.until(() => false, "a draft")).rejects.toThrow("a draft, but got a reply");
  });

  it("says that it is closed to a test that did not wait", async () => {
    const isClosed = "the trial is closed; await text() before its scope ends";
    const ask = async (run: Handler) => {
      await using trial = await tryAgent(agentOf(run), { patienceMs: 2 ** 31 - 1 });
      const talk = await trial.send("go");
      const text = talk.text();
      text.catch(() => undefined);
      return { talk, text };
    };
    const waits = await ask(async function* () {
      yield "half a";
      await never();
    });
    await expect(waits.text).rejects.toThrow(isClosed);
    const { talk } = waits;
    const calls = [
      () => talk.text(),
      () => talk.task(),
      () => talk.question(),
      () => talk.answer("a"),
      () => talk.say("a"),
      () => talk.cancel(),
      () => talk.until(() => true),
    ];
    for (const call of calls) await expect(call()).rejects.toThrow(isClosed);
    const replied = await ask(() => "hi");
    expect(await replied.text).toBe("hi");
    await expect(replied.talk.text()).rejects.toThrow(isClosed);
  });

  it("is over once it is closed", async () => {
    const trial = await tryAgent(createAsking());
    await trial.close();
    await trial.close();
    await expect(trial.send("go")).rejects.toThrow("the trial is closed; open another");
  });
});
