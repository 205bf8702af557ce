import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { openFolder } from "../support/files/open-folder.js";
import { openChance } from "./chance.js";
import { chunksOf, endingsOf, listTaskIds, readLog, recordedSteps } from "./stored-log.js";
import { readEffects, withStore } from "./stored-log.js";
import { SubjectProcess, unlessKilled } from "./subject-process.js";
import { rounds } from "../support/rounds.js";

const kills = rounds(24);
const steps = 12;

test(`a durable agent does each step once per recorded result, through ${kills} kills`, async () => {
  await using folder = await openFolder();
  const [path, effects] = [folder.file(), folder.file("effects")];
  const options = { path, effects, durable: true, settings: { leaseMs: 200 } };
  const chance = openChance();
  /** How often a step was found done but not recorded: so often may it have been done again. */
  const lostRecords = new Map<string, number>();
  /** What is recorded is not done again, so its effects are these and stay these. */
  const settled = new Map<string, readonly string[]>();

  const check = async (): Promise<void> => {
    const done = await readEffects(effects);
    await withStore(path, async (store) => {
      for (const taskId of await listTaskIds(store)) {
        const recorded = recordedSteps(await readLog(store, taskId));
        let unrecorded = 0;
        for (let number = 0; number < steps; number += 1) {
          const step = `${taskId} ${number}`;
          const ids = done
            .filter((effect) => effect.taskId === taskId && effect.what === `${number}`)
            .map(({ id }) => id);
          const result = recorded.get(`step ${number}`);
          if (result !== undefined) {
            expect(settled.get(step) ?? ids, `effects of recorded step ${step}`).toEqual(ids);
            expect(ids.at(-1)).toBe(result);
            expect(ids.length).toBeLessThanOrEqual(1 + (lostRecords.get(step) ?? 0));
            settled.set(step, ids);
          } else if (ids.length > 0) {
            unrecorded += 1;
            lostRecords.set(step, (lostRecords.get(step) ?? 0) + 1);
          }
        }
        expect(unrecorded, "steps done but not recorded").toBeLessThanOrEqual(1);
      }
    });
  };

  for (let round = 0; round < kills; round += 1) {
    await using subject = await SubjectProcess.start(options);
    const sent = unlessKilled(subject.send(`steps ${steps}`));
    // By the clock also before anything is done; once surely not, however slow the machine is.
    if (round > 0) await sleep(chance.below(200));
    else while ((await readEffects(effects)).length === 0) await sleep(1);
    await subject.kill();
    await sent;
    await check();
  }

  await using last = await SubjectProcess.start(options);
  const taskIds = await withStore(path, listTaskIds);
  expect(taskIds.length).toBeGreaterThan(0);
  await Promise.all(taskIds.map((id) => last.watch(id, () => undefined, 0)));
  await last.kill();
  await check();
  await withStore(path, async (store) => {
    for (const taskId of taskIds) {
      const log = await readLog(store, taskId);
      expect(endingsOf(log)).toEqual(["TASK_STATE_COMPLETED"]);
      // What the agent went on with is what is recorded, whichever process it went on in.
      expect(chunksOf(log)).toEqual(Array.from(recordedSteps(log).values()));
      expect(chunksOf(log).length).toBe(steps);
    }
  });
});
