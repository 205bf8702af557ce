import type { InterfaceCheck } from "../check.js";
import { broken, ok, skipped, warn } from "@parley/inspector/probe";

/** A host that never exists (RFC 2606), so that nobody is notified. */
const webhook = "https://parley-doctor.invalid/hook";

/** Push notifications are taken on if the card declares them. Registers a webhook and removes it again. */
export const push: InterfaceCheck = {
  name: "push",
  proves: "A webhook can be registered if the card declares push notifications, and not otherwise.",
  sends: true,
  async run({ session, target, begun }) {
    const isDeclared = target.card.capabilities.pushNotifications === true;
    const [taskId] = [...begun].slice(-1);
    if (taskId === undefined) return skipped("the agent answered without a task");
    const { result, error } = await session.call("createTaskPushNotificationConfig", {
      taskId,
      url: webhook,
    });
    if (result !== undefined) {
      const id = result.id ?? taskId;
      const removed = await session.call("deleteTaskPushNotificationConfig", { taskId, id });
      if (!isDeclared) {
        return warn(
          "a webhook was registered, and the card does not declare push notifications",
          "declare capabilities.pushNotifications: true, or answer PushNotificationNotSupportedError",
        );
      }
      return ok(
        removed.error === undefined || session.version === "0.1"
          ? "a webhook was registered and removed"
          : `a webhook was registered; removing it is answered with ${removed.error.code}`,
      );
    }
    if (!isDeclared) return ok(`not declared, and refused (${error?.code})`);
    if (error?.code === "INVALID_PARAMS" || error?.code === "INVALID_REQUEST") {
      return ok("declared; the address of this check was refused, because nobody is there");
    }
    return broken(
      `the card declares push notifications, and a webhook is refused: ${error?.code}: ${error?.message}`,
      "give the server a store and a sender for push notifications, or declare capabilities.pushNotifications: false",
    );
  },
};
