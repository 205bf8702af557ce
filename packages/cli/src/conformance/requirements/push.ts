/** Requirements on push notification configurations, their delivery and their receivers (§3.1.7, §4.3, §13.2). */
export const push = {
  "push:capability": {
    section: "3.3.4",
    level: "MUST",
    text: "A server that does not declare push notifications answers each push configuration operation with PushNotificationNotSupportedError.",
  },
  "push:inline-capability": {
    section: "3.3.4",
    level: "MUST",
    text: "A server that does not declare push notifications rejects a send request that carries a push configuration.",
  },
  "push:flat-config": {
    section: "4.3.1",
    level: "MUST",
    text: "A server reads and writes a push configuration as one flat TaskPushNotificationConfig object.",
  },
  "push:url-required": {
    section: "4.3.1",
    level: "MUST",
    text: "A server rejects a push configuration without a url.",
  },
  "push:scheme-required": {
    section: "4.3.2",
    level: "MUST",
    text: "A server rejects push authentication details without a scheme.",
  },
  "push:scheme-case": {
    section: "4.3.2",
    level: "MUST",
    text: "A server compares push authentication scheme names without regard to case.",
  },
  "push:create-assigns-id": {
    section: "3.1.7",
    level: "MUST",
    text: "A server answers a created push configuration with the id that it is stored under.",
  },
  "push:create-unknown-task": {
    section: "3.1.7",
    level: "MUST",
    text: "A server answers a push configuration for a missing or hidden task with TaskNotFoundError.",
  },
  "push:create-delivers": {
    section: "3.1.7",
    level: "MUST",
    text: "A server posts the updates of a task to each webhook registered for it.",
  },
  "push:persistent": {
    section: "3.1.7",
    level: "MUST",
    text: "A server keeps a push configuration until its task completes or the configuration is deleted.",
  },
  "push:get-details": {
    section: "3.1.8",
    level: "MUST",
    text: "A server answers a read of a push configuration with its webhook url and notification settings.",
  },
  "push:get-missing": {
    section: "3.1.8",
    level: "MUST",
    text: "A server answers a read of a missing push configuration with TaskNotFoundError.",
  },
  "push:get-hidden": {
    section: "3.1.8",
    level: "MUST",
    text: "A server fails a read of a push configuration that the caller may not see.",
  },
  "push:list-all": {
    section: "3.1.9",
    level: "MUST",
    text: "A server lists every active push configuration of the task.",
  },
  "push:list-pagination": {
    section: "3.1.9",
    level: "MAY",
    text: "A server splits a long list of push configurations into pages.",
  },
  "push:list-unknown-task": {
    section: "3.1.9",
    level: "MUST",
    text: "A server answers a list of the push configurations of a missing or hidden task with TaskNotFoundError.",
  },
  "push:delete-permanent": {
    section: "3.1.10",
    level: "MUST",
    text: "A server removes a deleted push configuration for good.",
  },
  "push:delete-stops-delivery": {
    section: "3.1.10",
    level: "MUST",
    text: "A server sends nothing more to a webhook once its configuration is deleted.",
  },
  "push:delete-idempotent": {
    section: "3.1.10",
    level: "MUST",
    text: "A server treats the repeated deletion of a push configuration like the first.",
  },
  "push:delete-unknown-task": {
    section: "3.1.10",
    level: "MUST",
    text: "A server answers a deletion under a missing task with TaskNotFoundError.",
  },
  "push:post": {
    section: "4.3.3",
    level: "MUST",
    text: "A server delivers a notification as an HTTP POST to the webhook url.",
  },
  "push:payload": {
    section: "4.3.3",
    level: "MUST",
    text: "A server sends as the notification body a StreamResponse with exactly one member.",
  },
  "push:http-json": {
    section: "3.5.1",
    level: "MUST",
    text: "A server sends notifications as plain HTTP with the JSON of the HTTP binding, whichever binding registered the webhook.",
  },
  "push:content-type": {
    section: "4.3.3",
    level: "SHOULD",
    text: "A server labels a notification body application/a2a+json.",
  },
  "push:credentials": {
    section: "4.3.3",
    level: "MUST",
    text: "A server sends the configured scheme and credentials in the Authorization header of each notification.",
  },
  "push:token": {
    section: "6.6",
    level: "MAY",
    text: "A server repeats the token of the configuration in the X-A2A-Notification-Token header.",
  },
  "push:at-least-once": {
    section: "4.3.3",
    level: "MUST",
    text: "A server tries at least once to deliver each update to each webhook.",
  },
  "push:timeout": {
    section: "4.3.3",
    level: "SHOULD",
    text: "A server gives up waiting for a webhook after a set time of about 10 to 30 seconds.",
  },
  "push:retry": {
    section: "13.2",
    level: "SHOULD",
    text: "A server retries a failed notification with exponential backoff.",
  },
  "push:give-up": {
    section: "4.3.3",
    level: "MAY",
    text: "A server stops delivering to a webhook after a set number of failures in a row.",
  },
  "push:private-addresses": {
    section: "13.2",
    level: "SHOULD",
    text: "A server refuses webhook urls in loopback and private address ranges.",
  },
  "push:local-addresses": {
    section: "13.2",
    level: "SHOULD",
    text: "A server refuses webhook urls that name localhost or a link-local address.",
  },
  "push:allowlist": {
    section: "13.2",
    level: "SHOULD",
    text: "A server can be told which webhook urls alone it may call.",
  },
  "push:https": {
    section: "13.2",
    level: "SHOULD",
    text: "A client registers webhooks at https urls.",
  },
  "push:stored-securely": {
    section: "13.2",
    level: "SHOULD",
    text: "A server stores push configurations and their credentials securely.",
  },
  "push:token-secret": {
    section: "13.2",
    level: "SHOULD",
    text: "A server and a client treat push tokens as secrets and renew them from time to time.",
    instead:
      "The server keeps tokens sealed, and leaves it to the client to renew them by setting the configuration again.",
  },
  "push:receiver-acknowledges": {
    section: "4.3.3",
    level: "MUST",
    text: "A client answers a notification that it has received with a 2xx status.",
  },
  "push:receiver-idempotent": {
    section: "4.3.3",
    level: "SHOULD",
    text: "A client handles a notification delivered twice like one delivered once.",
  },
  "push:receiver-task-id": {
    section: "4.3.3",
    level: "MUST",
    text: "A client checks that a notification is about a task that it expects.",
  },
  "push:receiver-authenticates": {
    section: "13.2",
    level: "MUST",
    text: "A client verifies where a notification comes from by the credentials that it gave to the agent.",
  },
  "push:receiver-rate-limit": {
    section: "13.2",
    level: "SHOULD",
    text: "A client limits the rate at which its webhook takes notifications.",
    instead: "The server limits how fast it calls a receiver, whatever the receiver does.",
  },
  "push:receiver-unique-token": {
    section: "13.2",
    level: "SHOULD",
    text: "A client uses a separate token for each push configuration.",
    instead:
      "The program chooses the token of each configuration, and the server sends it with the notifications of that configuration alone.",
  },
} as const;
