import { expect, it } from "vitest";
import { call, say } from "../support/clients/http-client.js";
import { openFolder } from "../support/files/open-folder.js";
import { openEndless } from "./endless-process.js";

it("handlers that wait with large messages do not take the memory of their server", async () => {
  await using folder = await openFolder();
  await using server = await openEndless(folder.file(), {});
  const size = 6 * 1024 * 1024;
  const configuration = { historyLength: 0 };
  const ids: string[] = [];
  for (let count = 0; count < 26; count += 1) {
    const large = say(`ask ${"x".repeat(size)}`, {}, configuration);
    const { result } = await call(server.url, "SendMessage", large);
    expect(result.task.status.state).toBe("TASK_STATE_INPUT_REQUIRED");
    ids.push(String(result.task.id));
  }
  for (const taskId of [ids[0], ids.at(-1)]) {
    const answered = await call(server.url, "SendMessage", say("yes", { taskId }, configuration));
    expect(answered.result.task.artifacts[0].parts).toEqual([{ text: String(size + 4) }]);
  }
});
