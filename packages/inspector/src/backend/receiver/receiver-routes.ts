import { optionalOneOf, optionalText, readJson } from "../http/read-json.js";
import { badField } from "../http/refusal.js";
import type { Routes } from "../http/router.js";
import type { PushReceiver } from "./push-receiver.js";

/** The routes of the receiver of push notifications. */
export function receiverRoutes(receiver: PushReceiver, canForward: boolean): Routes {
  return {
    "GET receiver": async () => receiver.view(),
    "GET deliveries": async () => ({ deliveries: receiver.deliveries }),
    "POST receiver": async ({ request }) => {
      const body = await readJson(request, 64 * 1024);
      const urls = ["forwardTo", "agent", "publicUrl"] as const;
      for (const name of urls) {
        const url = optionalText(body, name);
        if (url !== undefined && url !== "" && !/^https?:\/\/[^/]/.test(url)) {
          throw badField(name, "has to be a URL with http or https, or empty");
        }
      }
      if (!canForward && body["forwardTo"] !== undefined && body["forwardTo"] !== "") {
        throw badField("forwardTo", "cannot be set beside a server, which calls nobody else");
      }
      receiver.set({
        behaviour: optionalOneOf(body, "behaviour", [200, 410, 429, 500, "hang"]),
        forwardTo: optionalText(body, "forwardTo"),
        token: optionalText(body, "token"),
        agent: optionalText(body, "agent"),
        publicUrl: optionalText(body, "publicUrl"),
      });
      return receiver.view();
    },
  };
}
