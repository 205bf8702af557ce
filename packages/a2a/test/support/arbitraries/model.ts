/**
 * Values of the model, as fast-check generates them. All of them are canonical: what the parsers would
 * return unchanged. No member has the default that stands for absence, text is well-formed, numbers
 * survive JSON, no member is called `__proto__`. Names and values that some version gives a meaning of
 * its own (`mimeType` in metadata, an id with slashes) are among them on purpose.
 */
import fc from "fast-check";
import type { Arbitrary } from "fast-check";
import { taskStates } from "../../../src/protocol/internal.js";
import type {
  Artifact,
  AuthenticationInfo,
  JsonObject,
  JsonValue,
  Message,
  Part,
  Role,
  StreamResponse,
  Task,
  TaskArtifactUpdateEvent,
  TaskPushNotificationConfig,
  TaskState,
  TaskStatus,
  TaskStatusUpdateEvent,
} from "../../../src/protocol/internal.js";

/** A record whose members may be absent unless they are named in `requiredKeys`. */
export function record<T extends object, K extends keyof T>(
  model: { [M in keyof T]: Arbitrary<T[M]> },
  requiredKeys: K[],
): Arbitrary<Partial<T> & Pick<T, K>> {
  return fc.record(model, { requiredKeys, noNullPrototype: true }) as Arbitrary<
    Partial<T> & Pick<T, K>
  >;
}

/** Any well-formed text, the empty one included. */
export const text: Arbitrary<string> = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 8 }),
  fc.string({ unit: "binary", maxLength: 8 }),
);

/** Text of a member for which the empty string means that it is absent. */
export const filledText: Arbitrary<string> = text.filter((one) => one !== "");

export const identifier: Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.stringMatching(/^[!-~]{1,12}$/) },
  {
    weight: 2,
    // eslint-disable-next-line no-control-regex -- what ids may not contain
    arbitrary: filledText.filter((one) => !/^\s*$|[\u0000-\u001f\u007f]/.test(one)),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "0",
      "tasks/1",
      "a/b:c?d=e%2F#f",
      " padded ",
      "line\u2028separator",
      "constructor",
      "x".repeat(256),
    ),
  },
);

/** At least one element: the empty list means that the member is absent. */
export function list<T>(element: Arbitrary<T>): Arbitrary<T[]> {
  return fc.array(element, { minLength: 1, maxLength: 3 });
}

const memberName: Arbitrary<string> = fc
  .oneof(
    { weight: 3, arbitrary: text },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        "mimeType",
        "filename",
        "data_part_compat",
        "value",
        "kind",
        "type",
        "data",
        "constructor",
        "hasOwnProperty",
      ),
    },
  )
  .filter((name) => name !== "__proto__");

const number: Arbitrary<number> = fc
  .oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }))
  .map((one) => (Object.is(one, -0) ? 0 : one));

const { json } = fc.letrec<{ json: JsonValue }>((tie) => ({
  json: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom(null, true, false),
    text,
    number,
    fc.array(tie("json"), { maxLength: 2 }),
    fc.dictionary(memberName, tie("json"), { maxKeys: 2, noNullPrototype: true }),
  ),
}));

/** Any JSON value. */
export const jsonValue: Arbitrary<JsonValue> = json;

export const jsonObject: Arbitrary<JsonObject> = fc.dictionary(memberName, jsonValue, {
  maxKeys: 3,
  noNullPrototype: true,
});

const mediaType = fc.oneof(fc.constantFrom("text/plain", "application/json"), filledText);

/** An absolute URL as the platform reads it. */
const url: Arbitrary<string> = fc.oneof(
  filledText.map((path) => `https://files.example/${encodeURIComponent(path)}`),
  fc.constantFrom("https://例え.example/ファイル?q=1#x", "urn:x:y", "data:text/plain,hi"),
);

function partOf<T extends object>(content: Arbitrary<T>): Arbitrary<T> {
  const members = record({ mediaType, filename: filledText, metadata: jsonObject }, []);
  return fc.tuple(content, members).map(([one, others]) => ({ ...one, ...others }));
}

const only = <N extends string, T>(name: N, value: Arbitrary<T>): Arbitrary<Record<N, T>> =>
  value.map((one) => ({ [name]: one }) as Record<N, T>);

/** Every kind of part. */
export const part: Arbitrary<Part> = fc.oneof(
  partOf(only("text", text)),
  partOf(only("raw", fc.base64String({ maxLength: 12 }))),
  partOf(only("url", url)),
  partOf(only("data", jsonValue)),
);

export const role: Arbitrary<Role> = fc.constantFrom<Role>("ROLE_USER", "ROLE_AGENT");

export const message: Arbitrary<Message> = record(
  {
    messageId: identifier,
    role,
    parts: list(part),
    contextId: identifier,
    taskId: identifier,
    referenceTaskIds: list(identifier),
    extensions: list(text),
    metadata: jsonObject,
  },
  ["messageId", "role", "parts"],
);

export const artifact: Arbitrary<Artifact> = record(
  {
    artifactId: identifier,
    parts: list(part),
    name: filledText,
    description: filledText,
    extensions: list(text),
    metadata: jsonObject,
  },
  ["artifactId", "parts"],
);

export const taskState: Arbitrary<TaskState> = fc.constantFrom(...taskStates);

/** A time as precise as senders know it: a second, or a part of it in three, six or nine digits. */
export const timestamp: Arbitrary<string> = fc
  .tuple(
    fc.date({
      min: new Date("0001-01-01T00:00:00.000Z"),
      max: new Date("9999-12-31T23:59:59.999Z"),
      noInvalidDate: true,
    }),
    fc.constantFrom("", ".000", ".678", ".000001", ".678900", ".000000001", ".678901234"),
  )
  .map(([date, fraction]) => `${date.toISOString().slice(0, 19)}${fraction}Z`);

export const taskStatus: Arbitrary<TaskStatus> = record({ state: taskState, message, timestamp }, [
  "state",
]);

/** Artifacts have ids that are unique within their task. */
export const task: Arbitrary<Task> = record(
  {
    id: identifier,
    contextId: identifier,
    status: taskStatus,
    artifacts: fc.uniqueArray(artifact, {
      selector: ({ artifactId }) => artifactId,
      minLength: 1,
      maxLength: 2,
    }),
    history: fc.array(message, { minLength: 1, maxLength: 2 }),
    metadata: jsonObject,
  },
  ["id", "status"],
);

/** Events name their context, which is empty where a peer did not tell it. */
const contextId = fc.oneof({ weight: 4, arbitrary: identifier }, fc.constant(""));

const statusUpdate: Arbitrary<TaskStatusUpdateEvent> = record(
  { taskId: identifier, contextId, status: taskStatus, metadata: jsonObject },
  ["taskId", "contextId", "status"],
);

const artifactUpdate: Arbitrary<TaskArtifactUpdateEvent> = record(
  {
    taskId: identifier,
    contextId,
    artifact,
    append: fc.constant(true),
    lastChunk: fc.constant(true),
    metadata: jsonObject,
  },
  ["taskId", "contextId", "artifact"],
);

export const streamResponse: Arbitrary<StreamResponse> = fc.oneof(
  only("task", task),
  only("message", message),
  only("statusUpdate", statusUpdate),
  only("artifactUpdate", artifactUpdate),
);

const authentication: Arbitrary<AuthenticationInfo> = fc
  .tuple(
    fc.uniqueArray(filledText, { minLength: 1, maxLength: 3 }),
    record({ credentials: filledText }, []),
  )
  .map(([schemes, credentials]) => ({
    scheme: schemes[0] ?? "",
    ...credentials,
    ...(schemes.length > 1 && { schemes }),
  }));

const headers: Arbitrary<Readonly<Record<string, string>>> = fc.dictionary(
  fc.constantFrom("X-Key", "x-trace-id", "constructor", "Authorization"),
  fc.oneof(fc.constant("Bearer secret"), text),
  { maxKeys: 3, noNullPrototype: true },
);

/** A configuration as a send carries it, for a task that has no id yet. */
export const inlinePushConfig: Arbitrary<TaskPushNotificationConfig> = record(
  { tenant: filledText, id: identifier, url, token: filledText, authentication, headers },
  ["url"],
).filter((config) => config.authentication !== undefined || !namesAuthorization(config));

/** A configuration of a task. */
export const pushConfig: Arbitrary<TaskPushNotificationConfig & { readonly taskId: string }> = fc
  .tuple(inlinePushConfig, identifier)
  .map(([config, taskId]) => ({ ...config, taskId }));

/** An `Authorization` header is read as authentication details, so the model never has it alone. */
function namesAuthorization({ headers: given = {} }: TaskPushNotificationConfig): boolean {
  return Object.hasOwn(given, "Authorization");
}
