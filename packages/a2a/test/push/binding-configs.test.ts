import { describe, expect, it } from "vitest";
import { codecs } from "@parley/a2a/wire";
import { verifies } from "../spec/verifies.js";
import { ask, dialectOf, isRest, textMessage, write } from "../support/clients/dialect-client.js";
import type { Speech } from "../support/clients/dialect-client.js";
import { jsonOf, send } from "../support/clients/http-client.js";
import { openServer } from "../support/servers/open-server.js";
import { openFolder } from "../support/files/open-folder.js";

const speeches: readonly Speech[] = ["0.3", "0.3-proto", "0.3-schema", "1.0", "1.0 REST"];
const url = "https://client.example/hook";

/** How a deletion is answered: over REST of 0.3 without a body, of 1.0 with an empty object, over JSON-RPC with null. */
const deletions: Readonly<Partial<Record<Speech, readonly [status: number, text: string]>>> = {
  "0.3-proto": [204, ""],
  "0.3-schema": [204, ""],
  "1.0 REST": [200, "{}"],
};

async function openTask(server: string, speech: Speech): Promise<string> {
  const { result } = await ask(server, speech, "sendMessage", textMessage("flight"));
  return result.task?.id ?? expect.fail("expected a task");
}

async function codeOf(server: string, speech: Speech, ids: { taskId: string; id: string }) {
  const answer = await send(server, ...write(speech, "getTaskPushNotificationConfig", ids));
  const codec = codecs[dialectOf(speech)];
  return isRest(speech)
    ? codec.decodeHttpError(answer.status, jsonOf(answer)).code
    : codec.decodeJsonRpcError(jsonOf(answer).error).code;
}

describe("push configurations", () => {
  it.each(speeches)("are created, read, listed and deleted in %s", async (speech) => {
    verifies(
      "push:create-assigns-id",
      "push:get-details",
      "push:get-missing",
      "push:list-all",
      "push:delete-idempotent",
      "push:delete-permanent",
      "push:persistent",
    );
    await using folder = await openFolder();
    await using server = await openServer({ store: `${folder.path}/tasks.db` });
    const taskId = await openTask(server.url, speech);
    const authentication = { scheme: "Bearer", credentials: "secret" };
    const config = { taskId, id: "c1", url, token: "t", authentication };
    const created = await ask(server.url, speech, "createTaskPushNotificationConfig", config);
    expect(created.result).toMatchObject({ taskId, id: "c1", url, authentication });
    const other = { taskId, id: "c2", url: `${url}/2` };
    await ask(server.url, speech, "createTaskPushNotificationConfig", other);

    const ids = { taskId, id: "c1" };
    const read = await ask(server.url, speech, "getTaskPushNotificationConfig", ids);
    expect(read.result).toMatchObject({ taskId, id: "c1", url });
    expect(read.text).not.toContain("secret");
    const listed = await ask(server.url, speech, "listTaskPushNotificationConfigs", { taskId });
    expect(listed.result.configs?.map(({ id }) => id)).toEqual(["c1", "c2"]);
    expect(listed.text).not.toContain("secret");

    for (const _ of ["once", "again"]) {
      const deleted = await send(
        server.url,
        ...write(speech, "deleteTaskPushNotificationConfig", ids),
      );
      const [status, text] = deletions[speech] ?? [200, '{"jsonrpc":"2.0","id":1,"result":null}'];
      expect(deleted).toMatchObject({ status, text });
      expect(await codeOf(server.url, speech, ids)).toBe("TASK_NOT_FOUND");
    }
    const rest = await ask(server.url, speech, "listTaskPushNotificationConfigs", { taskId });
    expect(rest.result.configs?.map(({ id }) => id)).toEqual(["c2"]);
  });

  it.each(speeches)(
    "come with a message that makes a task or goes on with one, in %s",
    async (speech) => {
      verifies("send:inline-push-config");
      await using server = await openServer();
      const withHook = (id: string) => ({
        configuration: { taskPushNotificationConfig: { url, id } },
      });
      const { result } = await ask(server.url, speech, "sendMessage", {
        ...textMessage("flight"),
        ...withHook("first"),
      });
      const taskId = result.task?.id ?? "";
      await ask(server.url, speech, "sendMessage", {
        ...textMessage("to Tokyo", { taskId }),
        ...withHook("second"),
      });
      const listed = await ask(server.url, "1.0", "listTaskPushNotificationConfigs", { taskId });
      expect(listed.result.configs?.map(({ id }) => id)).toEqual(["first", "second"]);
    },
  );

  it.each(["0.3", "0.3-proto", "0.3-schema"] as const)(
    "without an id are one in %s",
    async (speech) => {
      await using server = await openServer();
      const taskId = await openTask(server.url, speech);
      for (const path of ["/1", "/2"]) {
        const config = { taskId, url: `${url}${path}` };
        await ask(server.url, speech, "createTaskPushNotificationConfig", config);
      }
      const listed = await ask(server.url, speech, "listTaskPushNotificationConfigs", { taskId });
      expect(listed.result.configs).toMatchObject([{ url: `${url}/2` }]);
    },
  );

  it.each(["1.0", "1.0 REST"] as const)(
    "without an id are each a new one in %s",
    async (speech) => {
      await using server = await openServer();
      const taskId = await openTask(server.url, speech);
      const ids: (string | undefined)[] = [];
      for (const path of ["/1", "/2"]) {
        const config = { taskId, url: `${url}${path}` };
        const made = await ask(server.url, speech, "createTaskPushNotificationConfig", config);
        ids.push(made.result.id);
      }
      expect(new Set(ids).size).toBe(2);
      expect(ids).not.toContain(undefined);
    },
  );
});
