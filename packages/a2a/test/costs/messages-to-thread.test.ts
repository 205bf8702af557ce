import { Worker } from "node:worker_threads";
import { expect, it, onTestFinished, vi } from "vitest";
import { openSqliteStore } from "@parley/a2a/store/sqlite";
import { creation } from "../store/sqlite-files.js";
import { openFolder } from "../support/files/open-folder.js";

it("the store's thread gets one message and gives one back for all appends of a turn", async () => {
  await using folder = await openFolder();
  await using store = await openSqliteStore({ path: folder.file() });
  const posted = vi.spyOn(Worker.prototype, "postMessage");
  const heard = vi.spyOn(Worker.prototype, "emit");
  onTestFinished(() => {
    posted.mockRestore();
    heard.mockRestore();
  });
  await Promise.all(
    Array.from({ length: 64 }, (_, index) => store.append(creation(`task ${index}`))),
  );
  expect(posted).toHaveBeenCalledTimes(1);
  const messages = heard.mock.calls.filter(([name]) => name === "message");
  expect(messages).toHaveLength(1);
});
