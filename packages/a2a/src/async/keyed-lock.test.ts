import { expect, it } from "vitest";
import { createDeferred } from "./deferred.js";
import { KeyedLock } from "./keyed-lock.js";

it("runs work of one key in order, also after a failure, and work of another key meanwhile", async () => {
  const lock = new KeyedLock();
  const [first, log] = [createDeferred<void>(), [] as string[]];
  const failing = lock.run("a", async () => {
    await first.promise;
    log.push("a1");
    throw new Error("failed");
  });
  const next = lock.run("a", async () => void log.push("a2"));
  await lock.run("b", async () => void log.push("b1"));
  expect(log).toEqual(["b1"]);
  first.resolve();
  await expect(failing).rejects.toThrow("failed");
  await next;
  expect(log).toEqual(["b1", "a1", "a2"]);
});
