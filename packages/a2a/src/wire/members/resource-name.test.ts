import { describe, expect, it } from "vitest";
import { configName, parseResourceName, taskName } from "./resource-name.js";

describe("a resource name", () => {
  it.each<[unknown, object | undefined]>([
    ["tasks/t1", { taskId: "t1" }],
    ["tasks/a/b", { taskId: "a/b" }],
    ["tasks/t1/pushNotificationConfigs", { taskId: "t1" }],
    ["tasks/t1/pushNotificationConfigs/", { taskId: "t1" }],
    ["tasks/t1/pushNotificationConfigs/p1", { taskId: "t1", configId: "p1" }],
    ["tasks/t1/pushNotificationConfigs/a/b", { taskId: "t1", configId: "a/b" }],
    ["tasks/t1/pushNotifications", { taskId: "t1" }],
    ["tasks/t1/pushNotifications/p1", { taskId: "t1", configId: "p1" }],
    ["tasks/t1/pushNotificationsOf/p1", { taskId: "t1/pushNotificationsOf/p1" }],
    ["tasks//pushNotifications/p1", undefined],
    [
      "tasks/a\u2028b/pushNotificationConfigs/c\u2029d",
      { taskId: "a\u2028b", configId: "c\u2029d" },
    ],
    ["tasks/", undefined],
    ["tasks//pushNotificationConfigs/p1", undefined],
    ["task/t1", undefined],
    ["t1", undefined],
    ["", undefined],
    [7, undefined],
    [null, undefined],
    [undefined, undefined],
  ])("%j is taken apart", (name, expected) => {
    expect(parseResourceName(name)).toEqual(expected);
  });

  it("is put together as it is taken apart", () => {
    expect(parseResourceName(taskName("t1"))).toEqual({ taskId: "t1" });
    expect(parseResourceName(configName("t1", "p1"))).toEqual({ taskId: "t1", configId: "p1" });
  });
});
