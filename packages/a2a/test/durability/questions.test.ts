import { expect, test } from "vitest";
import { openFolder } from "../support/files/open-folder.js";
import { endingsOf, readEffects, readLog, withStore } from "./stored-log.js";
import { SubjectProcess } from "./subject-process.js";

const dayMs = 24 * 60 * 60 * 1000;

test.for([true, false])(
  "a question is answered days later, in another process (durable: %s)",
  async (durable) => {
    await using folder = await openFolder();
    const options = { path: folder.file(), effects: folder.file("effects"), durable };
    await using asking = await SubjectProcess.start(options);
    const { id: taskId, status } = await asking.sendForTask("ask");
    expect(status).toMatchObject({
      state: "TASK_STATE_INPUT_REQUIRED",
      message: { parts: [{ text: "Which one?" }] },
    });
    await asking.kill();

    await using waiting = await SubjectProcess.start({ ...options, clockOffsetMs: 3 * dayMs });
    expect((await waiting.get(taskId)).status.state).toBe("TASK_STATE_INPUT_REQUIRED");
    const asked = await waiting.sendForTask("this", { taskId });
    expect(asked.status.message?.parts).toEqual([{ text: "And which other?" }]);
    await waiting.kill();

    await using finishing = await SubjectProcess.start({ ...options, clockOffsetMs: 9 * dayMs });
    const done = await finishing.sendForTask("that", { taskId });
    expect(done.status.state).toBe("TASK_STATE_COMPLETED");
    const elapsedMs = Date.parse(done.status.timestamp ?? "") - Date.parse(status.timestamp ?? "");
    expect(elapsedMs).toBeGreaterThan(8 * dayMs);

    const effects = await readEffects(options.effects);
    expect(effects.map(({ what }) => what)).toEqual(["before", "between"]);
    const [before, between] = effects.map(({ id }) => id);
    expect(done.artifacts?.[0]?.parts).toEqual([{ text: `${before} this ${between} that` }]);
    await finishing.kill();
    const log = await withStore(options.path, (store) => readLog(store, taskId));
    expect(endingsOf(log)).toEqual(["TASK_STATE_COMPLETED"]);
    const said = log.filter(({ event }) => event.kind === "question-asked");
    expect(said.length).toBe(2);
  },
);

test("an answer that was acknowledged is not lost when its process dies over it", async () => {
  await using folder = await openFolder();
  const options = {
    path: folder.file(),
    effects: folder.file("effects"),
    durable: true,
    settings: { leaseMs: 300 },
  };
  await using asking = await SubjectProcess.start(options);
  const { id: taskId } = await asking.sendForTask("ask");
  await asking.send("this", { taskId, immediate: true });
  await asking.kill();

  await using next = await SubjectProcess.start(options);
  const asked = await next.until(taskId, ({ status }) => status.message !== undefined);
  expect(asked.status.message?.parts).toEqual([{ text: "And which other?" }]);
  const done = await next.sendForTask("that", { taskId });
  expect(done.status.state).toBe("TASK_STATE_COMPLETED");
  expect(done.history?.map(({ parts }) => parts[0]?.text)).toEqual([
    "ask",
    "About to ask",
    "Which one?",
    "this",
    "And which other?",
    "that",
  ]);
});
