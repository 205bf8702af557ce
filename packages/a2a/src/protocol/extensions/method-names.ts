import { operations } from "../operations.js";

/** The names that the protocol itself gives to JSON-RPC methods before 1.0, those of drafts and prose included. */
const earlierNames: readonly string[] = [
  "message/send",
  "message/stream",
  "tasks/send",
  "tasks/sendSubscribe",
  "tasks/get",
  "tasks/list",
  "tasks/cancel",
  "tasks/subscribe",
  "tasks/resubscribe",
  "tasks/pushNotification/get",
  "tasks/pushNotification/set",
  "tasks/pushNotificationConfig/delete",
  "tasks/pushNotificationConfig/get",
  "tasks/pushNotificationConfig/list",
  "tasks/pushNotificationConfig/set",
  "agent/authenticatedExtendedCard",
  "agent/getAuthenticatedExtendedCard",
];

const protocolNames: ReadonlySet<string> = new Set([
  ...operations.map((name) => `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`),
  "ListTaskPushNotificationConfig",
  ...earlierNames,
]);

/** Whether the protocol has a method of this name, in any version. An extension cannot define it anew. */
export function isProtocolMethod(name: string): boolean {
  return protocolNames.has(name);
}

/**
 * The names that methods of extensions may have: words of letters, digits and `_ . - :`, joined by slashes. They are
 * paths over HTTP, so no word is `.` or `..`. JSON-RPC keeps names that begin with `rpc.` for itself.
 */
export const methodNameForm: RegExp =
  /^(?!rpc\.)(?=.{1,128}$)(?:(?!\.{1,2}(?:\/|$))[\w.:-]+(?:\/(?!$)|$))+$/;
