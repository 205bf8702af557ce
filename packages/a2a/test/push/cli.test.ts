import { describe, expect, it } from "vitest";
import { openCliServer } from "../support/servers/open-cli-server.js";
import { call, say } from "../support/clients/http-client.js";
import { openFolder } from "../support/files/open-folder.js";
import { eventsIn, readLog } from "../support/read-log.js";
import { openReceiver } from "../support/servers/open-receiver.js";

describe("parley serve", () => {
  it("notifies webhooks on this machine when told to, and says loudly that it does", async () => {
    await using folder = await openFolder();
    await using receiver = await openReceiver();
    await using server = await openCliServer(`${folder.path}/tasks.db`, "--push-allow-private");
    const configuration = { taskPushNotificationConfig: { url: receiver.url } };
    const answer = await call(server.url, "SendMessage", say("task hello", {}, configuration));
    expect(answer.result.task.status.state).toBe("TASK_STATE_COMPLETED");
    const [first] = await receiver.until(1);
    expect(first?.headers["content-type"]).toBe("application/a2a+json");
    expect(readLog(server.stderr())[0]).toMatchObject({
      level: "warn",
      event: "push.unguarded",
      msg: expect.stringMatching(/^push notifications may go to this machine/) as string,
    });
  });

  it("refuses webhooks on this machine otherwise", async () => {
    await using folder = await openFolder();
    await using receiver = await openReceiver();
    await using server = await openCliServer(`${folder.path}/tasks.db`);
    const configuration = { taskPushNotificationConfig: { url: receiver.url } };
    const { error } = await call(server.url, "SendMessage", say("task hello", {}, configuration));
    expect(error.code).toBe(-32602);
    expect(receiver.connections).toBe(0);
    expect(eventsIn(server.stderr())).toEqual(["server.started"]);
  });
});
