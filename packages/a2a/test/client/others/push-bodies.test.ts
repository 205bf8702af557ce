import { expect, it } from "vitest";
import type { JsonObject } from "@parley/a2a";
import { A2AError } from "../../../src/protocol/internal.js";
import { openPeer } from "./open-peer.js";

/** The members of the messages that the official servers of 0.3 read from the body, as protobuf has them. */
const members: Readonly<Record<string, readonly string[]>> = {
  request: ["parent", "configId", "config"],
  config: ["name", "pushNotificationConfig"],
  pushNotificationConfig: ["id", "url", "token", "authentication"],
  authentication: ["schemes", "credentials"],
};

/** Refuses what a strict reader of protobuf's JSON refuses: members that a message does not have. */
function checkMembers(message: string, value: JsonObject): void {
  for (const [name, member] of Object.entries(value)) {
    if (members[message]?.includes(name) !== true) {
      throw new A2AError("INTERNAL", `${message} has no field named ${name}`);
    }
    if (members[name] !== undefined) checkMembers(name, member as JsonObject);
  }
}

const config = { taskId: "t", id: "hook", url: "https://caller.example/hook", token: "secret" };

it.each([
  ["with an id", config],
  ["without an id", { taskId: "t", url: config.url }],
])("a push configuration of 0.3 over REST has one body form, %s", async (_, asked) => {
  const bodies: JsonObject[] = [];
  await using peer = await openPeer(["HTTP+JSON", "0.3"], {
    createTaskPushNotificationConfig(body) {
      bodies.push(body);
      checkMembers("request", body);
      return { ...asked, id: "hook" };
    },
  });
  const created = await peer.agent.service.createTaskPushNotificationConfig(asked);
  expect(created).toMatchObject({ taskId: "t", id: "hook", url: config.url });
  const { taskId: __, ...pushNotificationConfig } = asked;
  const id = "id" in asked ? asked.id : "";
  const name = `tasks/t/pushNotificationConfigs/${id}`;
  const expected = { parent: "tasks/t", configId: id, config: { name, pushNotificationConfig } };
  expect(bodies).toEqual([expected]);
});
