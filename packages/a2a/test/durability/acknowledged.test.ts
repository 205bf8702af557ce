import { expect, test } from "vitest";
import { openFolder } from "../support/files/open-folder.js";
import { openChance } from "./chance.js";
import { readLog, withStore } from "./stored-log.js";
import { SubjectProcess, unlessKilled } from "./subject-process.js";
import { rounds } from "../support/rounds.js";

const kills = rounds(30);
const sends = 20;

test(`a send that was acknowledged is stored, in ${kills} kills right after an acknowledgement`, async () => {
  await using folder = await openFolder();
  const chance = openChance();
  const acknowledged = new Map<string, string>();
  for (let round = 0; round < kills; round += 1) {
    const durability = chance.below(2) === 0 ? "full" : "process";
    await using subject = await SubjectProcess.start({ path: folder.file(), durability });
    const last = 1 + chance.below(sends);
    let killing: Promise<void> | undefined;
    let count = 0;
    const sending = Array.from({ length: sends }, async (_, index) => {
      const text = `forever ${round} ${index}`;
      const { id } = await subject.sendForTask(text, { immediate: true });
      acknowledged.set(id, text);
      count += 1;
      if (count === last) killing = subject.kill();
    });
    await Promise.all(sending.map(unlessKilled));
    await killing;
    expect(count).toBeGreaterThanOrEqual(last);
  }
  await withStore(folder.file(), async (store) => {
    for (const [taskId, text] of acknowledged) {
      const log = await readLog(store, taskId);
      const messages = log.flatMap(({ event }) =>
        event.kind === "message-added" ? [event.message.parts[0]?.text] : [],
      );
      expect(messages).toEqual([text]);
    }
  });
});
