import { expect, test } from "vitest";
import { A2AError } from "../../protocol/internal.js";
import { BatchQueue } from "./batch-queue.js";
import { fromFailure } from "./failure.js";
import type { Batch } from "./operations.js";

function openQueue({ maxOperations = 100, maxBytes = 1000 } = {}) {
  const sent: Batch[] = [];
  const busy: boolean[] = [];
  const queue = new BatchQueue({
    send: (batch) => sent.push(batch),
    toError: fromFailure,
    maxOperations,
    maxBytes,
    onBusy: (isBusy) => busy.push(isBusy),
  });
  const names = () =>
    sent.map(({ reads, writes }) => [...reads, ...writes].map(({ name }) => name).join(" "));
  const add = (name: string, { isRead = false, bytes = 1 } = {}) =>
    queue.add({ name, request: undefined }, isRead, bytes);
  /** Answers the first writes under way. */
  const answer = (count: number) =>
    queue.settle({ of: "writes", results: Array.from({ length: count }).fill("done"), failed: [] });
  return { queue, sent, busy, names, add, answer };
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

test("what one turn of the event loop brings goes into one batch", async () => {
  const { names, add } = openQueue();
  void add("a");
  await Promise.resolve();
  void add("b");
  expect(names()).toEqual([]);
  await nextTurn();
  expect(names()).toEqual(["a b"]);
});

test("a batch does not wait for the one before it", async () => {
  const { names, add, answer } = openQueue();
  const first = add("a");
  await nextTurn();
  void add("b");
  await nextTurn();
  expect(names()).toEqual(["a", "b"]);
  answer(1);
  expect(await first).toBe("done");
});

test("a batch has no more operations, and no more bytes, than it may", async () => {
  const { names, add } = openQueue({ maxOperations: 3, maxBytes: 100 });
  for (const name of ["a", "b", "c", "d"]) void add(name);
  void add("big", { bytes: 98 });
  void add("e", { bytes: 2 });
  void add("huge", { bytes: 5000 });
  void add("f");
  await nextTurn();
  expect(names()).toEqual(["a b c", "d big", "e", "huge", "f"]);
});

test("replies settle reads and writes in the order in which they were sent, however many batches they are of", async () => {
  const { queue, sent, add } = openQueue();
  const operations = [add("write"), add("read", { isRead: true })];
  await nextTurn();
  expect(sent).toEqual([
    {
      reads: [{ name: "read", request: undefined }],
      writes: [{ name: "write", request: undefined }],
      bytes: 2,
    },
  ]);
  operations.push(add("write"), add("write"));
  await nextTurn();
  queue.settle({ of: "reads", results: [1], failed: [] });
  queue.settle({ of: "writes", results: [2, 3], failed: [] });
  queue.settle({ of: "writes", results: [4], failed: [] });
  expect(await Promise.all(operations)).toEqual([2, 1, 3, 4]);
});

test("an operation that failed is rejected, and its neighbours are not", async () => {
  const { queue, add } = openQueue();
  const operations = [add("a"), add("b"), add("c")];
  await nextTurn();
  const failure = { code: "CONCURRENT_MODIFICATION", message: "too late" } as const;
  queue.settle({ of: "writes", results: [1, failure, 3], failed: [1] });
  const outcomes = await Promise.allSettled(operations);
  expect(outcomes).toMatchObject([{ value: 1 }, { reason: failure }, { value: 3 }]);
  expect(outcomes[1]?.status === "rejected" && A2AError.is(outcomes[1].reason)).toBe(true);
});

test("a failure rejects what is under way, what waits, and what comes later", async () => {
  const { queue, names, add } = openQueue();
  const error = new A2AError("UNAVAILABLE", "gone");
  const outcomes = [add("a")];
  await nextTurn();
  outcomes.push(add("b"));
  queue.fail(error);
  outcomes.push(add("c"));
  for (const outcome of outcomes) await expect(outcome).rejects.toBe(error);
  await queue.drain();
  await nextTurn();
  expect(names()).toEqual(["a"]);
});

test("a batch that cannot be sent is rejected, and the next is sent", async () => {
  let isBroken = true;
  const queue = new BatchQueue({
    send() {
      if (isBroken) throw new TypeError("a function cannot be cloned");
      setImmediate(() => queue.settle({ of: "writes", results: ["done"], failed: [] }));
    },
    toError: fromFailure,
    maxOperations: 100,
    maxBytes: 1000,
  });
  const first = queue.add({ name: "a", request: undefined }, false, 1);
  await expect(first).rejects.toMatchObject({ code: "INTERNAL", cause: { name: "TypeError" } });
  isBroken = false;
  expect(await queue.add({ name: "b", request: undefined }, false, 1)).toBe("done");
});

test("a sealed queue finishes what it has, and says when it is done", async () => {
  const { queue, busy, add, answer } = openQueue();
  const first = add("a");
  let isDrained = false;
  const drained = queue.drain().then(() => (isDrained = true));
  queue.seal(new A2AError("UNAVAILABLE", "closed"));
  await expect(add("b")).rejects.toThrow("closed");
  await nextTurn();
  expect(isDrained).toBe(false);
  answer(1);
  await Promise.all([first, drained]);
  expect(busy).toEqual([true, false]);
});
