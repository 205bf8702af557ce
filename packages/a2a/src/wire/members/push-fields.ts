import { A2AError, renameFields } from "../../protocol/internal.js";
import type { Operation } from "../../protocol/internal.js";
import { isJsonObject } from "../../protocol/parse/internal.js";

/** Where a message carries a push configuration in the model. */
const inlinePlace = "configuration.taskPushNotificationConfig";

/** Where requests before 1.0 have it, under all names that callers use. The first is what most of them use. */
const inlinePlaces = [
  "configuration.pushNotificationConfig",
  "configuration.pushNotification",
  "pushNotification",
];
const createPlaces = [
  "pushNotificationConfig",
  "config.pushNotificationConfig",
  "config",
  "push_notification_config",
];

/** The fields that a service may refuse in a configuration. */
const ofConfig = /^(?:url|token|headers|authentication)(?:\.|$)/;

/**
 * Names the fields of a push configuration that a service has refused as the caller of a version before 1.0 has
 * written them. Services know them by the names of the model. Returns other errors as they are.
 */
export function nameCallersFields(error: unknown, operation: Operation, params: unknown): unknown {
  if (!A2AError.is(error)) return error;
  if (operation === "createTaskPushNotificationConfig") {
    const place = placeIn(params, createPlaces);
    return renameFields(error, (field) =>
      ofConfig.test(field) ? `${place}.${memberOf(field, params, place)}` : field,
    );
  }
  if (operation !== "sendMessage" && operation !== "sendStreamingMessage") return error;
  const place = placeIn(params, inlinePlaces);
  return renameFields(error, (field) =>
    field.startsWith(`${inlinePlace}.`)
      ? `${place}.${memberOf(field.slice(inlinePlace.length + 1), params, place)}`
      : field,
  );
}

/** 1.0 has one scheme, earlier versions have a list. */
function memberOf(field: string, params: unknown, place: string): string {
  const isFromList =
    field === "authentication.scheme" &&
    Array.isArray(valueAt(params, `${place}.authentication.schemes`));
  return isFromList ? "authentication.schemes[0]" : field;
}

function placeIn(params: unknown, places: readonly string[]): string {
  return places.find((place) => isJsonObject(valueAt(params, place))) ?? places[0] ?? "";
}

function valueAt(params: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce((value: unknown, name) => (isJsonObject(value) ? value[name] : undefined), params);
}
