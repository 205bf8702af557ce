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
  /** Answers the writes of the batch under way, each with its number. */
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

test("what arrives while two batches are under way goes into the next, in order", async () => {
  const { names, add, answer } = openQueue();
  const first = add("a");
  for (const name of ["b", "c", "d"]) {
    await nextTurn();
    void add(name);
  }
  await nextTurn();
  expect(names()).toEqual(["a", "b"]);
  answer(1);
  expect(await first).toBe("done");
  await nextTurn();
  expect(names()).toEqual(["a", "b", "c d"]);
});

test("a thread with nothing to do gets many operations in two halves, and a busy one in one batch", async () => {
  const { names, add, answer } = openQueue();
  const letters = Array.from("abcdefghijklmnop");
  for (const name of letters) void add(name);
  await nextTurn();
  expect(names()).toEqual(["a b c d e f g h", "i j k l m n o p"]);
  for (const name of letters) void add(name);
  answer(8);
  await nextTurn();
  expect(names()[2]).toBe(letters.join(" "));
});

test("replies settle the batches in the order in which they were sent", async () => {
  const { queue, add } = openQueue();
  const first = add("a");
  await nextTurn();
  const read = add("b", { isRead: true });
  const write = add("c");
  await nextTurn();
  queue.settle({ of: "writes", results: [1], failed: [] });
  queue.settle({ of: "reads", results: [2], failed: [] });
  queue.settle({ of: "writes", results: [3], failed: [] });
  expect(await Promise.all([first, read, write])).toEqual([1, 2, 3]);
});

test("a batch has no more operations, and no more bytes, than it may", async () => {
  const { names, add, answer } = openQueue({ maxOperations: 3, maxBytes: 100 });
  for (const name of ["a", "b", "c", "d"]) void add(name);
  void add("big", { bytes: 98 });
  void add("e", { bytes: 2 });
  void add("huge", { bytes: 5000 });
  void add("f");
  for (const count of [3, 2, 1, 1]) {
    await nextTurn();
    answer(count);
  }
  await nextTurn();
  expect(names()).toEqual(["a b c", "d big", "e", "huge", "f"]);
});

test("a batch is under way until both its reads and its writes are settled", async () => {
  const { queue, sent, names, add, answer } = openQueue();
  const write = add("write");
  const read = add("read", { isRead: true });
  await nextTurn();
  expect(sent).toEqual([
    {
      reads: [{ name: "read", request: undefined }],
      writes: [{ name: "write", request: undefined }],
    },
  ]);
  void add("second");
  await nextTurn();
  void add("third");
  queue.settle({ of: "reads", results: [7], failed: [] });
  expect(await read).toBe(7);
  await nextTurn();
  expect(names().length).toBe(2);
  answer(1);
  await write;
  await nextTurn();
  expect(names().length).toBe(3);
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
      queue.settle({ of: "writes", results: ["done"], failed: [] });
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
