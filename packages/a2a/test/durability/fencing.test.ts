import { expect, test, vi } from "vitest";
import { isTerminal } from "@parley/a2a";
import type { StreamEvent } from "@parley/a2a";
import { openFolder } from "./folder.js";
import { pauseBetweenWrites } from "./pause.js";
import { chunksOf, endingsOf, readLog, shownBy, withStore } from "./stored-log.js";
import { SubjectProcess } from "./subject-process.js";

vi.setConfig({ testTimeout: 120_000 });

const chunks = 200;

test.for([
  { durable: true, ending: "TASK_STATE_COMPLETED" },
  { durable: false, ending: "TASK_STATE_FAILED" },
])(
  "a process that was paused past its lease writes no more to what another has taken over ($ending)",
  async ({ durable, ending }) => {
    await using folder = await openFolder();
    const options = { path: folder.file(), durable, settings: { leaseMs: 400 } };
    await using paused = await SubjectProcess.start(options);
    const seen: StreamEvent[] = [];
    let hasBegun: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => (hasBegun = resolve));
    const streaming = paused.stream(`count ${chunks} 10`, (event) => {
      seen.push(event);
      if (seen.length > 10) hasBegun();
    });
    await begun;
    await pauseBetweenWrites(paused, options.path);
    const id = seen[0]?.response.task?.id ?? "";

    await using other = await SubjectProcess.start(options);
    const { status, contextId } = await other.until(id, (task) => isTerminal(task.status.state));
    expect(status.state).toBe(ending);
    const before = await withStore(options.path, (store) => readLog(store, id));

    // It goes on in the middle of its stream, tries to write, and shows what the other has written.
    paused.resume();
    await streaming;
    expect((await paused.sendForTask("count 20")).status.state).toBe("TASK_STATE_COMPLETED");
    const after = await withStore(options.path, (store) => readLog(store, id));
    expect(after).toEqual(before);
    expect(endingsOf(after)).toEqual([ending]);
    const [first, ...rest] = seen;
    expect(first?.response.task?.id).toBe(id);
    expect(rest).toEqual(shownBy(after, { id, ...(contextId !== undefined && { contextId }) }));

    const texts = chunksOf(after).map((text) => text.split("@"));
    const numbers = texts.map(([number]) => Number(number));
    expect(numbers).toEqual(Array.from(numbers.keys()));
    const writers = texts.map(([, writer]) => writer);
    const changes = writers.filter((writer, index) => writer !== writers[index - 1]);
    expect(changes.length, "writers, each in one stretch").toBe(durable ? 2 : 1);
    if (durable) expect(writers.length).toBe(chunks);
    expect([...paused.reports, ...other.reports]).toEqual([]);
  },
);

test("a process that was paused goes on with its tasks when nobody has taken them over", async () => {
  await using folder = await openFolder();
  const options = { path: folder.file(), settings: { leaseMs: 200 } };
  await using paused = await SubjectProcess.start(options);
  const { id } = await paused.sendForTask(`count ${chunks} 10`, { immediate: true });
  await pauseBetweenWrites(paused, options.path);
  await withStore(options.path, async (store) => {
    const isOver = async (): Promise<boolean> =>
      (await store.findAbandoned("Subject", Date.now(), 10)).includes(id);
    while (!(await isOver()));
  });
  paused.resume();
  const { status, artifacts } = await paused.until(id, (task) => isTerminal(task.status.state));
  expect(status.state).toBe("TASK_STATE_COMPLETED");
  expect(artifacts?.[0]?.parts.length).toBe(chunks);
});
