import { expect, it } from "vitest";
import { connect } from "@parley/a2a/client";
import { openReceiver } from "../support/servers/open-receiver.js";
import { openServer } from "../support/servers/open-server.js";

it("registers a webhook with a message through the service, with nothing but the request", async () => {
  await using receiver = await openReceiver();
  await using server = await openServer({
    push: { allowPrivate: ["127.0.0.0/8"], schemes: ["http"] },
  });
  const travel = await connect(server.url);
  const { task } = await travel.service.sendMessage({
    message: { messageId: "m1", role: "ROLE_USER", parts: [{ text: "task one" }] },
    configuration: {
      returnImmediately: true,
      taskPushNotificationConfig: { url: receiver.url, token: "a secret of this task" },
    },
  });
  const [first] = await receiver.until(1);
  expect(first?.headers["x-a2a-notification-token"]).toBe("a secret of this task");
  const { configs } = await travel.service.listTaskPushNotificationConfigs({
    taskId: task?.id ?? "",
  });
  expect(configs).toMatchObject([{ url: receiver.url }]);
});

it("asks for the extensions of connect() in a call without a context, in the agent's version", async () => {
  await using server = await openServer();
  const sent: (string | null)[][] = [];
  const agent = await connect(server.url, {
    versions: ["0.3"],
    extensions: ["https://example.com/ext"],
    fetch: (url, init) => {
      const headers = new Headers(init.headers);
      sent.push([headers.get("A2A-Version"), headers.get("X-A2A-Extensions")]);
      return fetch(url, init);
    },
  });
  sent.length = 0;
  await expect(agent.service.getTask({ id: "none" })).rejects.toMatchObject({
    code: "TASK_NOT_FOUND",
  });
  expect(sent).toEqual([["0.3", "https://example.com/ext"]]);
});
